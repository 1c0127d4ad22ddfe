import { deploymentView, isRolling } from '../../packages/kube/pods/deployment-view.ts';
import type { KubernetesObject } from '../../packages/kube/object.ts';

/**
 * What Pulumi's provider waits for on a Deployment, instead of its own logic. That logic takes the first report of a
 * shared watch for the newest one: if the report is about the previous generation, a Deployment whose new pod is
 * pending counts as complete. Expressions are judged by the newest generation only, which the Deployment's controller
 * must have seen.
 */
export const ROLLED_OUT: readonly string[] = [
  'condition=Available',
  'jsonpath={.status.conditions[?(@.type=="Progressing")].reason}=NewReplicaSetAvailable',
];

/** How long a Deployment may take. On a slow line most of it goes into pulling the image. */
export const ROLLOUT_MINUTES = 10;

/** The same, for what Pulumi's provider waits for. */
export const ROLLOUT_TIMEOUTS = { create: `${ROLLOUT_MINUTES}m`, update: `${ROLLOUT_MINUTES}m` };

const REVISION = 'deployment.kubernetes.io/revision';

/** Whether all pods of a Deployment are of its newest configuration, and available. */
export function isRolledOut(deployment: KubernetesObject): boolean {
  const view = deploymentView(deployment);
  return view !== undefined && !isRolling(view) && view.availableReplicas >= view.replicas;
}

/** The pods of a Deployment's newest configuration: only they show why it does not become ready. */
export function newestPods<T extends KubernetesObject>(
  deployment: KubernetesObject,
  replicaSets: readonly KubernetesObject[],
  pods: readonly T[],
): readonly T[] {
  const revision = revisionOf(deployment);
  const newest = replicaSets.find((each) => isOwned(each, deployment) && revisionOf(each) === revision);
  if (newest === undefined || revision === undefined) return [];
  return pods
    .filter((pod) => isOwned(pod, newest) && pod.metadata.deletionTimestamp === undefined)
    .sort((one, other) => one.metadata.name.localeCompare(other.metadata.name));
}

function revisionOf({ metadata }: KubernetesObject): string | undefined {
  return metadata.annotations?.[REVISION];
}

function isOwned({ metadata }: KubernetesObject, owner: KubernetesObject): boolean {
  return (metadata.ownerReferences ?? []).some(({ uid }) => uid === owner.metadata.uid);
}
