import { join } from 'node:path';
import { isPackedFromSources } from '../../packages/lib/packed.ts';
import type { Problem } from '../../packages/lib/problem.ts';
import type { Settings } from '../config/schema.ts';

/** The one file that the operator's image consists of, besides Node. */
const PACKED = 'controller/dist/controller.cjs';

/** Whether an update builds the operator's image. */
export function buildsController({ catalog, operators }: Pick<Settings, 'catalog' | 'operators'>): boolean {
  return catalog.source === 'checkout' && operators.length > 0;
}

/** The image is labelled with the commit of the sources, so the file in it must not be of others. `fleet` packs it before each run. */
export function controllerProblems(checkout: string): Problem[] {
  if (isPackedFromSources(join(checkout, PACKED), checkout)) return [];
  const message = 'is missing, or was packed from other sources than those of this checkout';
  const remedy = 'Pack it, `npm run build --workspace controller`, or use `fleet up`, which does so.';
  return [{ object: 'operator image', path: PACKED, message, remedy }];
}
