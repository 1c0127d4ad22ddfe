import { readFile } from 'node:fs/promises';
import yaml from 'js-yaml';
import { GROUP, INFERENCE_STACK, type ResourceNames, STORAGE_VERSION } from '../../controller/src/api/constants.ts';
import type { Client } from '../../controller/src/runtime/client.ts';
import type { KubernetesObject, ResourceType } from '../../controller/src/runtime/object.ts';
import { eventually } from './eventually.ts';

const CRDS: ResourceType = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
};

const NAMESPACES: ResourceType = {
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  namespaced: false,
};

/** The resource of a kind of this API, in one of its versions. */
export function stacks(names: ResourceNames = INFERENCE_STACK, version: string = STORAGE_VERSION): ResourceType {
  return { group: GROUP, version, kind: names.kind, plural: names.plural, namespaced: true };
}

/** Installs the generated CRD and waits until the API server serves it. */
export async function installCrd(client: Client, names: ResourceNames = INFERENCE_STACK): Promise<void> {
  const file = new URL(`../../controller/crds/${names.plural}.yaml`, import.meta.url);
  const crd = yaml.load(await readFile(file, 'utf8')) as KubernetesObject;
  await client.apply(CRDS, crd, { fieldManager: 'test', force: true });
  await eventually(() => client.list(stacks(names)));
}

export async function createNamespace(client: Client, name: string): Promise<void> {
  await client.apply(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }, { fieldManager: 'test' });
}
