import { readYaml } from '../../packages/lib/read-yaml.ts';
import { isObject, objectAt, type OpenObject } from '../../packages/lib/json.ts';
import { isWithin } from '../../packages/lib/problem.ts';
import { readSettings, type ConfigMap, type ReadSettings } from './load.ts';
import { PROJECT } from './project.ts';

/**
 * Reads the text of an environment's file as the program will get it from Pulumi, for code that runs before Pulumi.
 * Encrypted values stay unknown: they are absent from the settings, and no problem is reported for them. `content` is the file as it is.
 */
export function readEnvironmentFile(text: string, file: string): ReadSettings & { readonly content: OpenObject } {
  const { content, config, encrypted } = plainConfig(text, file);
  const { settings, problems } = readSettings(config);
  const known = problems.filter(({ path }) => !encrypted.some((each) => isWithin(path, each)));
  return { content, settings, problems: known.map((problem) => ({ object: file, ...problem })) };
}

/** The configuration in the text of an environment's file, as Pulumi hands it over, without what is encrypted. */
export function readPulumiConfig(text: string, file: string): ConfigMap {
  return plainConfig(text, file).config;
}

function plainConfig(
  text: string,
  file: string,
): { content: OpenObject; config: ConfigMap; encrypted: readonly string[] } {
  const encrypted: string[] = [];
  const content = objectAt(readYaml(text, file));
  const config = Object.entries(objectAt(content, 'config')).flatMap(([key, value]) => {
    const plain = withoutEncrypted(value, key.replace(`${PROJECT}:`, ''), encrypted);
    return plain === undefined || plain === null ? [] : [[key, asPulumi(plain)] as const];
  });
  return { content, config: Object.fromEntries(config), encrypted };
}

/** Pulumi encrypts one value at a time, at any depth: `{secure: <text>}` stands for it. */
export function isEncrypted(value: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(value).length === 1 && typeof value['secure'] === 'string';
}

function withoutEncrypted(value: unknown, path: string, encrypted: string[]): unknown {
  if (Array.isArray(value)) return value.map((each, index) => withoutEncrypted(each, `${path}[${index}]`, encrypted));
  if (!isObject(value)) return value;
  if (isEncrypted(value)) {
    encrypted.push(path);
    return undefined;
  }
  const fields = Object.entries(value).map(([key, each]) => [key, withoutEncrypted(each, `${path}.${key}`, encrypted)]);
  return Object.fromEntries(fields);
}

/** Pulumi hands texts over as they are, and everything else as JSON. */
function asPulumi(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
