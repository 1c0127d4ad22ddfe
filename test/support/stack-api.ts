import { readFile } from 'node:fs/promises';
import yaml from 'js-yaml';
import { GROUP, INFERENCE_STACK, STORAGE_VERSION } from '../../controller/src/api/constants.ts';
import type { InferenceStack, InferenceStackSpec } from '../../controller/src/api/types.ts';
import { OWNED_KINDS } from '../../controller/src/reconcile/kinds.ts';
import type { Client } from '../../controller/src/runtime/client.ts';
import type { KubernetesObject, ResourceType } from '../../controller/src/runtime/object.ts';
import { eventually } from './eventually.ts';

export const CRDS: ResourceType = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
};

export const NAMESPACES: ResourceType = {
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  namespaced: false,
};

export const STACKS: ResourceType = {
  group: GROUP,
  version: STORAGE_VERSION,
  kind: INFERENCE_STACK.kind,
  plural: INFERENCE_STACK.plural,
  namespaced: true,
};

/** The resource of a kind that stacks are made of. */
export function ownedType(kind: string): ResourceType {
  const found = OWNED_KINDS.find(({ type }) => type.kind === kind);
  if (found === undefined) throw new Error(`stacks are not made of ${kind}s`);
  return found.type;
}

/** Creates the CRD and waits until objects of it can be made. */
export async function installCrd(client: Client, crd: KubernetesObject): Promise<void> {
  await client.create(CRDS, crd);
  await eventually(async () => {
    const { status } = (await client.get(CRDS, crd.metadata)) as { status?: { conditions?: { type: string }[] } };
    if (!status?.conditions?.some(({ type }) => type === 'Established')) throw new Error('the CRD is not established');
  });
}

/** The project's own CRD, as it is shipped. */
export async function stackCrd(plural = INFERENCE_STACK.plural): Promise<KubernetesObject> {
  const file = new URL(`../../controller/crds/${plural}.yaml`, import.meta.url);
  return yaml.load(await readFile(file, 'utf8')) as KubernetesObject;
}

export async function createNamespace(client: Client, name: string): Promise<void> {
  await client.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
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
