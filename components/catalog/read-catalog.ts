import yaml from 'js-yaml';
import { isObject, textAt } from '../../packages/lib/json.ts';
import { ProblemsError } from '../../packages/lib/problem.ts';
import { definedOnly } from '../../packages/lib/values.ts';
import type { Catalog, FbcBundle, FbcChannel, FbcDeprecations, FbcPackage } from './fbc.ts';

type Document = FbcPackage | FbcChannel | FbcBundle | FbcDeprecations;

/** Reads one package of file-based catalog content; throws if it is missing. */
export function readCatalog(texts: readonly string[], packageName: string, source: string): Catalog {
  const packages = readPackages(texts);
  const found = packages.find((catalog) => catalog.package.name === packageName);
  if (found !== undefined) return found;
  const names = packages.map((catalog) => catalog.package.name).join(', ') || 'no package';
  const remedy = `It has ${names}. Name a catalog that was built from a template of this project.`;
  throw new ProblemsError([
    { object: source, path: `package ${packageName}`, message: 'is not in the catalog', remedy },
  ]);
}

/**
 * Every package of file-based catalog content, which may be anybody's: the files of a catalog image, or what catalogd serves, as JSON
 * documents one after the other or as YAML.
 */
export function readPackages(texts: readonly string[]): Catalog[] {
  const documents = texts.flatMap(readDocuments);
  return [...Map.groupBy(documents, packageOf).values()].flatMap(packageIn);
}

function packageIn(documents: readonly Document[]): Catalog[] {
  const [first] = documents.filter((document) => document.schema === 'olm.package');
  const [deprecations] = documents.filter((document) => document.schema === 'olm.deprecations');
  if (first === undefined) return [];
  return [
    definedOnly({
      package: first,
      channels: documents.filter((document) => document.schema === 'olm.channel'),
      bundles: documents.filter((document) => document.schema === 'olm.bundle'),
      deprecations,
    }),
  ];
}

function packageOf(document: Document): string {
  return textAt(document, document.schema === 'olm.package' ? 'name' : 'package');
}

/** Documents of JSON begin with a brace at the start of a line; everything else is YAML. */
function readDocuments(text: string): readonly Document[] {
  const isJson = text.trimStart().startsWith('{');
  const values: unknown[] = isJson
    ? text.split(/\n(?=\{)/).map((part): unknown => JSON.parse(part))
    : yaml.loadAll(text);
  return values.filter((value) => value !== null).map(asDocument);
}

function asDocument(value: unknown): Document {
  if (isObject(value)) return value as unknown as Document;
  throw new ProblemsError([{ object: 'catalog', path: '', value, message: 'is not file-based catalog content' }]);
}
