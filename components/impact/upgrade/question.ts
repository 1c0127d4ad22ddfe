import { OPERATOR_VERSION_LABEL } from '../../../packages/api/constants.ts';
import { parseOperatorRequest } from '../../../packages/api/operator-version.ts';
import { isNotFound } from '../../../packages/kube/client/api-error.ts';
import type { Client } from '../../../packages/kube/client/client.ts';
import { objectKey, type KubernetesObject } from '../../../packages/kube/object.ts';
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
