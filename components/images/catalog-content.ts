import type { Catalog } from '../catalog/fbc.ts';
import { writeCatalog } from '../catalog/write.ts';
import type { TextImageContent } from './build-context.ts';

/** The label by which catalogd finds the content in the image. */
const CONFIGS_LABEL = 'operators.operatorframework.io.index.configs.v1';

/** The files and labels of a catalog image: catalogd reads the content itself, so no program is in it. */
export function catalogImageContent(catalog: Catalog): TextImageContent {
  const path = `configs/${catalog.package.name}/catalog.json`;
  return { files: new Map([[path, writeCatalog(catalog, 'json')]]), labels: { [CONFIGS_LABEL]: '/configs' } };
}
