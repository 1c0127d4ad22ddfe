import { OPERATOR_VERSION_LABEL } from '../../../packages/api/constants.ts';
import { STACK_TYPES } from '../../../packages/api/kinds.ts';
import { parseOperatorRequest } from '../../../packages/api/operator-version.ts';
import { isForbidden, isNotFound } from '../../../packages/kube/client/api-error.ts';
import type { Client } from '../../../packages/kube/client/client.ts';
import { objectKey, type KubernetesObject, type ResourceType } from '../../../packages/kube/object.ts';
import type { Capabilities } from '../../../packages/render/model.ts';

/** Clients of the API server, as far as it is only read. */
export type ReadClient = Pick<Client, 'list' | 'listEach' | 'raw'>;

/** The annotation in which kubectl keeps a copy of what was applied: as large as the stack, and of no use. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** `Kind/namespace/name`, as answers name a stack. */
export function stackKeyOf({ kind, metadata }: Pick<KubernetesObject, 'kind' | 'metadata'>): string {
  return `${kind}/${objectKey(metadata)}`;
}

/** Whether a stack asks for an operator of the major. */
export function asksFor({ metadata }: KubernetesObject, major: number): boolean {
  return parseOperatorRequest(metadata.labels?.[OPERATOR_VERSION_LABEL] ?? '')?.major === major;
}

/** A stack as it is asked about: as the API server has it, without what only the API server needs. */
export function askedStack({ apiVersion, kind, metadata, spec, status }: KubernetesObject): object {
  const { name, namespace, uid, generation, labels, annotations } = metadata;
  const kept = Object.entries(annotations ?? {}).filter(([key]) => key !== LAST_APPLIED);
  const meta = { name, namespace, uid, generation, labels, annotations: Object.fromEntries(kept) };
  return { apiVersion, kind, metadata: meta, spec, status };
}

/** The first line of a question: which version is asked, and what the cluster has. */
export function headerLine(operatorVersion: string, capabilities: Capabilities): string {
  return JSON.stringify({ contract: 1, operatorVersion, capabilities });
}

/** What the cluster has beyond what every cluster has, as the operator finds it out. */
export async function readCapabilities(client: Pick<ReadClient, 'raw'>): Promise<Capabilities> {
  const [keda, serviceMonitor, assignsUserIds] = await Promise.all(
    ['/apis/keda.sh/v1alpha1', '/apis/monitoring.coreos.com/v1', `/apis/${SECURITY_GROUP}`].map((path) =>
      isServed(client, path),
    ),
  );
  return { keda: keda === true, serviceMonitor: serviceMonitor === true, assignsUserIds: assignsUserIds === true };
}

/** OpenShift's, by which the operator knows that pods get their ids from the platform. */
const SECURITY_GROUP = 'security.openshift.io';

async function isServed(client: Pick<ReadClient, 'raw'>, path: string): Promise<boolean> {
  try {
    await client.raw(path);
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

/** A page of stacks is held at a time, and each of them may be large. */
const PAGE = 100;

/** Every stack, page by page. Kinds that may not be listed are told instead. */
export async function* everyStack(
  client: ReadClient,
  onUnread: (kind: string) => void,
): AsyncGenerator<KubernetesObject> {
  for (const type of STACK_TYPES) {
    let next: string | undefined = '';
    while (next !== undefined) {
      const page = await pageOf(client, type, next, onUnread);
      yield* page?.items ?? [];
      next = page?.metadata.continue === '' ? undefined : page?.metadata.continue;
    }
  }
}

async function pageOf(
  client: ReadClient,
  type: ResourceType,
  from: string,
  onUnread: (kind: string) => void,
): Promise<Awaited<ReturnType<ReadClient['list']>> | undefined> {
  try {
    return await client.list(type, { limit: PAGE, continue: from === '' ? undefined : from });
  } catch (error) {
    // The earlier kind is usually switched off.
    if (isNotFound(error)) return undefined;
    if (!isForbidden(error)) throw error;
    onUnread(type.kind);
    return undefined;
  }
}
