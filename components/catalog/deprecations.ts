import yaml from 'js-yaml';
import { refuse } from '../../packages/lib/problem.ts';
import type { Problem } from '../../packages/lib/problem.ts';
import { readYaml } from '../../packages/lib/read-yaml.ts';
import { isObject, listAt, objectAt } from '../../packages/lib/json.ts';
import type { Catalog, DeprecationEntry, FbcDeprecations } from './fbc.ts';

/** Reads the deprecations file that stands beside a template; an empty one means that nothing is deprecated. */
export function parseDeprecations(text: string, file: string): FbcDeprecations | undefined {
  const document = readYaml(text, file, yaml.CORE_SCHEMA) ?? undefined;
  if (document === undefined) return undefined;
  const { schema, package: name, entries = [] } = isObject(document) ? document : {};
  const problems: Problem[] = [];
  if (schema !== 'olm.deprecations' || typeof name !== 'string') {
    const remedy = 'Begin with schema: olm.deprecations and package: <name>.';
    problems.push({ object: file, path: 'schema', message: 'is not an olm.deprecations document', remedy });
  }
  if (entries !== null && !Array.isArray(entries)) {
    const remedy = 'Begin each entry with "- reference:".';
    problems.push({ object: file, path: 'entries', value: entries, message: 'must be a list', remedy });
  }
  const read = listAt(entries).flatMap((entry, index) => readEntry(entry, `entries[${index}]`, file, problems));
  refuse(problems);
  return { schema: 'olm.deprecations', package: String(name), entries: read };
}

/** Deprecations must name things that the catalog has, and have a message. */
export function deprecationProblems(catalog: Catalog): Problem[] {
  const { deprecations } = catalog;
  if (deprecations === undefined) return [];
  const object = 'olm.deprecations';
  const names = {
    'olm.channel': new Set(catalog.channels.map(({ name }) => name)),
    'olm.bundle': new Set(catalog.bundles.map(({ name }) => name)),
  };
  const seen = new Set<string>();
  const problems: Problem[] = [];
  if (deprecations.package !== catalog.package.name) {
    const remedy = `Use ${catalog.package.name}.`;
    problems.push({ object, path: 'package', value: deprecations.package, message: 'is not in the catalog', remedy });
  }
  for (const [index, { reference }] of deprecations.entries.entries()) {
    const path = `entries[${index}].reference`;
    const key = `${reference.schema} ${reference.name ?? ''}`;
    if (seen.has(key)) problems.push({ object, path, value: reference, message: 'is deprecated twice' });
    seen.add(key);
    if (reference.schema === 'olm.package') {
      const remedy = 'Leave the name out: a catalog has one package.';
      if (reference.name !== undefined)
        problems.push({ object, path, value: reference, message: 'must not have a name', remedy });
    } else if (!names[reference.schema].has(reference.name ?? '')) {
      const remedy = `Use one of: ${[...names[reference.schema]].join(', ')}.`;
      problems.push({ object, path, value: reference.name, message: 'is not in the catalog', remedy });
    }
  }
  return problems;
}

function isReferable(schema: unknown): schema is DeprecationEntry['reference']['schema'] {
  return schema === 'olm.package' || schema === 'olm.channel' || schema === 'olm.bundle';
}

function readEntry(entry: unknown, path: string, file: string, problems: Problem[]): DeprecationEntry[] {
  const { message } = objectAt(entry);
  const { schema, name } = objectAt(entry, 'reference');
  if (!isReferable(schema)) {
    const remedy = 'Use olm.package, olm.channel or olm.bundle.';
    problems.push({
      object: file,
      path: `${path}.reference.schema`,
      value: schema,
      message: 'cannot be deprecated',
      remedy,
    });
  }
  if (typeof message !== 'string' || message === '') {
    const remedy = 'Tell users what to use instead.';
    problems.push({ object: file, path: `${path}.message`, value: message, message: 'must not be empty', remedy });
  }
  if (!isReferable(schema) || typeof message !== 'string' || message === '') return [];
  return [{ reference: { schema, ...(typeof name === 'string' ? { name } : {}) }, message }];
}
