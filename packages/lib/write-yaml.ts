import yaml from 'js-yaml';

/** One YAML document as every file of this project is written: no references, no folded lines, keys in given order. */
export function writeYaml(document: unknown, options: { readonly sortKeys?: boolean } = {}): string {
  return yaml.dump(document, { noRefs: true, lineWidth: -1, noArrayIndent: true, sortKeys: options.sortKeys ?? false });
}
