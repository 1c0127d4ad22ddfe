import yaml from 'js-yaml';
import { ProblemsError } from '../../packages/lib/problem.ts';
import type { Catalog, FbcBundle, FbcChannel, FbcDeprecations, FbcPackage } from './fbc.ts';

type Document = FbcPackage | FbcChannel | FbcBundle | FbcDeprecations;

/** Reads file-based catalog content back: the files of a catalog image, as JSON one after the other or as YAML. */
export function readCatalog(texts: readonly string[], packageName: string, source: string): Catalog {
  const documents = texts.flatMap(readDocuments);
  const found = packageIn(documents, packageName);
  if (found !== undefined) return found;
  const remedy = `It has ${packages(documents)}. Name a catalog that was built from a template of this project.`;
  throw new ProblemsError([
    { object: source, path: `package ${packageName}`, message: 'is not in the catalog', remedy },
  ]);
}

/** One package of catalog content that may be anybody's. */
export function findPackage(texts: readonly string[], packageName: string): Catalog | undefined {
  return packageIn(texts.flatMap(readDocuments), packageName);
}

function packageIn(documents: readonly Document[], packageName: string): Catalog | undefined {
  const ours = documents.filter((document) => packageOf(document) === packageName);
  const [first] = ours.filter((document) => document.schema === 'olm.package');
  const [deprecations] = ours.filter((document) => document.schema === 'olm.deprecations');
  if (first === undefined) return undefined;
  return {
    package: first,
    channels: ours.filter((document) => document.schema === 'olm.channel'),
    bundles: ours.filter((document) => document.schema === 'olm.bundle'),
    ...(deprecations === undefined ? {} : { deprecations }),
  };
}

function packages(documents: readonly Document[]): string {
  const names = documents.filter((document) => document.schema === 'olm.package').map(({ name }) => name);
  return names.length === 0 ? 'no package' : names.join(', ');
}

function packageOf(document: Document): string {
  return document.schema === 'olm.package' ? document.name : document.package;
}

/** Documents of JSON begin with a brace at the start of a line; everything else is YAML. */
function readDocuments(text: string): readonly Document[] {
  if (!text.trimStart().startsWith('{')) return yaml.loadAll(text) as Document[];
  return text.split(/\n(?=\{)/).map((part) => JSON.parse(part) as Document);
}
