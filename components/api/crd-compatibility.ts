import type { InferenceStackStatus } from '../../packages/api/status.ts';
import { isObject } from '../../packages/lib/json.ts';
import type { Problem } from '../../packages/lib/problem.ts';
import { narrowings } from './schema-compatibility.ts';
import type { SchemaNode } from './schema-compatibility.ts';

/** A CustomResourceDefinition, as far as compatibility is concerned. */
export interface Definition {
  readonly metadata: { readonly name?: string };
  readonly spec: {
    readonly group: string;
    readonly scope: string;
    readonly names: { readonly kind: string; readonly plural: string };
    readonly conversion?: { readonly strategy?: string };
    readonly versions: readonly DefinitionVersion[];
  };
  readonly status?: { readonly storedVersions?: readonly string[] };
}

export interface DefinitionVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly schema?: { readonly openAPIV3Schema?: SchemaNode };
}

const REMEDY = 'Keep what exists and add to it: the stacks of every team rely on it.';
const UNSERVED = 'Serve it, or retire it as docs/how-to/retire-an-api-version.md says.';
const STORED = 'Run `fleet api-versions --rewrite` first, which stores them in the version of today.';

/** Every reason why objects, stored or written by people, would not survive the change from one definition to the other. */
export function crdIncompatibilities(before: Definition, after: Definition): Problem[] {
  const object = `CustomResourceDefinition ${before.metadata.name ?? ''}`;
  const problems = [...identityProblems(before, after), ...versionProblems(before, after)];
  return problems.map((problem) => ({ remedy: REMEDY, object, ...problem }));
}

/** The path of problems that no setting accepts, since the API server refuses such a change as well. */
export const NEVER_ACCEPTED = 'spec.versions';

function identityProblems({ spec: before }: Definition, { spec: after }: Definition): Problem[] {
  const fixed: readonly [string, string, string][] = [
    ['spec.group', before.group, after.group],
    ['spec.scope', before.scope, after.scope],
    ['spec.names.kind', before.names.kind, after.names.kind],
    ['spec.names.plural', before.names.plural, after.names.plural],
  ];
  return fixed
    .filter(([, was, is]) => was !== is)
    .map(([path, was, value]) => ({ path, value, message: `was ${was}` }));
}

function versionProblems(before: Definition, after: Definition): Problem[] {
  const stored = before.status?.storedVersions ?? before.spec.versions.filter((v) => v.storage).map((v) => v.name);
  const lost = stored.filter((name) => !after.spec.versions.some((version) => version.name === name));
  return [
    ...lost.map((name) => ({
      path: NEVER_ACCEPTED,
      value: name,
      message: 'is gone, but objects may be stored in it',
      remedy: STORED,
    })),
    ...before.spec.versions.flatMap((version) => servedProblems(version, after)),
  ];
}

function servedProblems(version: DefinitionVersion, after: Definition): Problem[] {
  const path = `spec.versions[${version.name}]`;
  const next = after.spec.versions.find((candidate) => candidate.name === version.name);
  if (version.served && next?.served !== true) return [{ path, message: 'is no longer served', remedy: UNSERVED }];
  const [was, is] = [version.schema?.openAPIV3Schema, next?.schema?.openAPIV3Schema];
  if (was === undefined || is === undefined) return [];
  return narrowings(withoutRebuilt(was), withoutRebuilt(is), '').map((problem) => ({
    ...problem,
    path: `${path}${problem.path}`,
  }));
}

/**
 * Whether the operator rebuilds a status field from what it observes, so that losing it costs nothing. The other fields
 * are its memory: without them two operators would act on one stack, its runtime would be upgraded, and objects would
 * be left behind.
 */
const IS_REBUILT: Readonly<Record<keyof InferenceStackStatus, boolean>> = {
  observedGeneration: true,
  conditions: true,
  operatorVersion: true,
  claim: false,
  defaults: false,
  inventory: false,
  gateway: true,
  applications: true,
  applicationsReady: true,
  gpus: true,
  url: true,
};

/**
 * A schema without the status fields that may change freely. How writers of status are merged does not matter: there is
 * only one.
 */
function withoutRebuilt(schema: SchemaNode): SchemaNode {
  const { properties } = schema;
  if (!isObject(properties) || !isObject(properties.status) || !isObject(properties.status.properties)) return schema;
  const rebuilt: Readonly<Record<string, boolean>> = IS_REBUILT;
  const kept = Object.entries(properties.status.properties).filter(([name]) => rebuilt[name] !== true);
  return {
    ...schema,
    properties: {
      ...properties,
      status: { ...properties.status, 'x-kubernetes-map-type': 'atomic', properties: Object.fromEntries(kept) },
    },
  };
}
