import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import yaml from 'js-yaml';
import { checkout } from '../../packages/lib/checkout.ts';
import { isObject } from '../../packages/lib/json.ts';
import { refuse, type Problem } from '../../packages/lib/problem.ts';

const FILE = 'versions.yaml';
const VERSION = /^\d+(\.\d+){1,2}$/;
const SHA256 = /^[0-9a-f]{64}$/;

const KEYS = [
  'kubernetes',
  'kubernetesOldest',
  'olm',
  'olmOldest',
  'olmDefault',
  'olmManifest',
  'node',
  'nodeOldest',
  'goOldest',
  'pulumi',
  'pulumiKubernetes',
  'keda',
  'prometheusOperator',
] as const;

/** Versions of other software by the name that versions.yaml gives them. */
export type Versions = Readonly<Record<(typeof KEYS)[number], string>>;

export function readVersions(): Versions {
  return parseVersions(readFileSync(join(checkout, FILE), 'utf8'));
}

/** Reads versions.yaml: all of them, and nothing else, so that a typing mistake is not a version that nobody uses. */
export function parseVersions(text: string): Versions {
  const given = yaml.load(text);
  const entries: Readonly<Record<string, unknown>> = isObject(given) ? given : {};
  const problems: Problem[] = Object.keys(entries)
    .filter((key) => !(KEYS as readonly string[]).includes(key))
    .map((key) => ({ object: FILE, path: key, message: 'is not known', remedy: `Known are ${KEYS.join(', ')}.` }));
  for (const key of KEYS) {
    const value = entries[key];
    const form = key === 'olmManifest' ? SHA256 : VERSION;
    if (typeof value === 'string' && form.test(value)) continue;
    const remedy = key === 'olmManifest' ? 'Write what `sha256sum` prints.' : "Write it as text, such as '1.2.3'.";
    problems.push({ object: FILE, path: key, value, message: 'is not a version', remedy });
  }
  refuse(problems);
  return entries as Versions;
}
