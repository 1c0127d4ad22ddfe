import yaml from 'js-yaml';
import type { Definition } from '../../components/api/crd-compatibility.ts';
import type { SchemaNode } from '../../components/api/schema-compatibility.ts';
import type { FrozenDefaults, InferenceStack } from '../../packages/api/types.ts';
import type { PolicyRule } from '../../packages/kube/policy-rule.ts';
import { isObject, type OpenObject } from '../../packages/lib/json.ts';
import { ProblemsError } from '../../packages/lib/problem.ts';
import { readYaml } from '../../packages/lib/read-yaml.ts';

/** A metric that a version of the operator shows. */
export interface Metric {
  readonly name: string;
  readonly type: string;
  readonly labels: readonly string[];
}

/** Rights that a version asks for: across the cluster, or in its own namespace. */
export interface AskedRights {
  readonly scope: 'cluster' | 'namespace';
  readonly rules: readonly PolicyRule[];
}

/** A stack of the corpus, and what a version makes of it. */
export interface RenderedStack {
  /** Its file, e.g. `kubernetes/vllm`. The folder says on which platform it runs. */
  readonly name: string;
  readonly stack: InferenceStack;
  /** What the stack keeps once this version has served it. */
  readonly defaults?: FrozenDefaults;
  readonly objects: readonly OpenObject[];
  /** Why nothing is made of it. */
  readonly problems: readonly string[];
}

/** What those who use a version rely on, recorded so that the next version is compared without pulling an image. */
export interface Surface {
  readonly version: string;
  readonly definitions: readonly Definition[];
  readonly rights: readonly AskedRights[];
  readonly metrics: readonly Metric[];
  readonly stacks: readonly RenderedStack[];
}

/** The folder of surfaces, beside the lock. */
export const SURFACES = 'catalog/releases';

export function surfaceFile(version: string): string {
  return `${SURFACES}/${version}.yaml`;
}

const HEADER =
  '# What those who use this version rely on. Written by `fleet release`, which compares the next version with it.\n';

/** A surface as text. What is equal, as the schemas of two API versions, is written once. */
export function writeSurface(surface: Surface): string {
  const document = { ...surface, definitions: shared(surface.definitions.map(bare)) };
  return HEADER + yaml.dump(document, { lineWidth: -1, noArrayIndent: true });
}

export function parseSurface(text: string, file: string): Surface {
  const document = readYaml(text, file, yaml.CORE_SCHEMA);
  const lists = ['definitions', 'rights', 'metrics', 'stacks'] as const;
  if (
    isObject(document) &&
    typeof document['version'] === 'string' &&
    lists.every((key) => Array.isArray(document[key]))
  ) {
    return document as unknown as Surface;
  }
  const remedy = `Restore it, e.g. with git checkout ${file}.`;
  throw new ProblemsError([{ object: file, path: '', message: 'is not what `fleet release` writes', remedy }]);
}

/** A definition without what does not decide whether stacks survive a change of it. */
function bare({ metadata, spec }: Definition): Definition {
  const { group, scope, names, versions } = spec;
  return {
    metadata: { name: metadata.name ?? '' },
    spec: {
      group,
      scope,
      names: { kind: names.kind, plural: names.plural },
      versions: versions.map(({ name, served, storage, schema }) => ({
        name,
        served,
        storage,
        schema: { openAPIV3Schema: withoutWords(schema?.openAPIV3Schema ?? {}) as SchemaNode },
      })),
    },
  };
}

/** A schema without descriptions, which are most of it. A property may be called `description`, and is not a text. */
function withoutWords(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutWords);
  if (!isObject(node)) return node;
  const kept = Object.entries(node).filter(([key, value]) => key !== 'description' || typeof value !== 'string');
  return Object.fromEntries(kept.map(([key, value]) => [key, withoutWords(value)]));
}

/** The same value, in which large equal maps are one map, which YAML then refers to. */
function shared(value: unknown, known = new Map<string, unknown>()): unknown {
  if (Array.isArray(value)) return value.map((item) => shared(item, known));
  if (!isObject(value)) return value;
  const text = JSON.stringify(value);
  const same = text.length > 200 ? known.get(text) : undefined;
  if (same !== undefined) return same;
  const copy = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shared(item, known)]));
  if (text.length > 200) known.set(text, copy);
  return copy;
}
