import { OWNED_KINDS } from '../../../packages/api/kinds.ts';
import type { Client } from '../../../packages/kube/client/client.ts';
import type { KubernetesObject } from '../../../packages/kube/object.ts';

/** What the operator has made in a namespace, without what differs between two equal stacks. */
export async function snapshot(client: Client, namespace: string): Promise<Record<string, unknown>> {
  const objects: Record<string, unknown> = {};
  for (const { type, optional } of OWNED_KINDS) {
    if (optional === true) continue;
    for (const object of await client.listAll(type, { namespace, labelSelector: MANAGED })) {
      objects[`${type.kind}/${object.metadata.name}`] = comparable(object, namespace);
    }
  }
  return objects;
}

const MANAGED = 'app.kubernetes.io/managed-by=inference-stack-operator';

function comparable(object: KubernetesObject, namespace: string): unknown {
  const { metadata, ...rest } = { ...object, status: undefined };
  const { labels, annotations, ownerReferences = [], generation } = metadata;
  const owners = ownerReferences.map(({ kind, name, controller }) => ({ kind, name, controller }));
  const content = { ...rest, metadata: { labels, annotations, owners, generation } };
  const text = JSON.stringify(content, (key, value: unknown) =>
    // The API server assigns addresses.
    key === 'clusterIP' || key === 'clusterIPs' ? undefined : value,
  );
  return JSON.parse(text.replaceAll(namespace, '<namespace>'));
}
