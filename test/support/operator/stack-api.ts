import { readFile } from 'node:fs/promises';
import yaml from 'js-yaml';
import { DEFINITIONS } from '../../../components/olm/resource-types.ts';
import { GROUP, INFERENCE_STACK, type ResourceNames, STORAGE_VERSION } from '../../../packages/api/constants.ts';
import type { InferenceStack, InferenceStackSpec, StringMap } from '../../../packages/api/types.ts';
import { OWNED_KINDS } from '../../../packages/api/kinds.ts';
import type { Client } from '../../../packages/kube/client/client.ts';
import type { KubernetesObject, ResourceType } from '../../../packages/kube/object.ts';
import { eventually } from '../machine/eventually.ts';

const NAMESPACES: ResourceType = {
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  namespaced: false,
};

/** The resource of a kind of this API, in one of its versions. */
export function stackType(names: ResourceNames = INFERENCE_STACK, version: string = STORAGE_VERSION): ResourceType {
  return { group: GROUP, version, kind: names.kind, plural: names.plural, namespaced: true };
}

export const STACKS = stackType();

/** The resource of a kind that stacks are made of. */
export function ownedType(kind: string): ResourceType {
  const found = OWNED_KINDS.find(({ type }) => type.kind === kind);
  if (found === undefined) throw new Error(`stacks are not made of ${kind}s`);
  return found.type;
}

/** Creates the CRD and waits until the API server serves its newest version. */
export async function installCrd(client: Client, crd: KubernetesObject): Promise<void> {
  await client.create(DEFINITIONS, crd);
  const { group, names, versions } = crd['spec'] as DefinitionSpec;
  const version = versions.at(-1)?.name ?? '';
  await eventually(() => client.list({ group, version, kind: names.kind, plural: names.plural, namespaced: true }));
}

interface DefinitionSpec {
  group: string;
  names: { kind: string; plural: string };
  versions: { name: string }[];
}

/** The project's own CRD, as it is shipped. */
export async function stackCrd(names: ResourceNames = INFERENCE_STACK): Promise<KubernetesObject> {
  const file = new URL(`../../../packages/api/crds/${names.plural}.yaml`, import.meta.url);
  return yaml.load(await readFile(file, 'utf8')) as KubernetesObject;
}

export async function createNamespace(client: Client, name: string, labels: StringMap = {}): Promise<void> {
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } };
  await client.apply(NAMESPACES, namespace, { fieldManager: 'test' });
}

export function newStack(
  namespace: string,
  name: string,
  spec: InferenceStackSpec,
  operatorVersion = 'v1',
): KubernetesObject {
  return {
    apiVersion: `${GROUP}/${STORAGE_VERSION}`,
    kind: INFERENCE_STACK.kind,
    metadata: { name, namespace, labels: { operatorVersion } },
    spec,
  };
}

export async function getStack(client: Client, namespace: string, name: string): Promise<InferenceStack> {
  return (await client.get(STACKS, { namespace, name })) as unknown as InferenceStack;
}

export function conditionOf(stack: InferenceStack, type: string): { status: string; reason: string; message: string } {
  const found = stack.status?.conditions?.find((condition) => condition.type === type);
  return found ?? { status: 'Missing', reason: '', message: '' };
}
