import { PODS } from '../../packages/kube/resource-types.ts';
import { objectAt } from '../../packages/lib/json.ts';
import type { KubernetesObject, ResourceType } from '../../packages/kube/object.ts';
import { CATALOGS, DEPLOYMENTS, EXTENSIONS } from '../olm/resource-types.ts';
import { optional } from '../../packages/kube/client/optional.ts';
import { deploymentSymptom, type Advice } from './deployment-symptom.ts';
import type { Cluster } from './explain.ts';
import { catalogSymptom, extensionSymptom } from './olm-symptoms.ts';
import { isRolledOut, newestPods } from './rollout.ts';
import type { Pod, Symptom } from './symptom.ts';

/** Something that is waited for, and how it is looked at. */
export interface Target {
  /** Tells it apart from others. */
  readonly name: string;
  symptoms(cluster: Cluster): Promise<readonly Symptom[]>;
}

const REPLICA_SETS: ResourceType = { ...DEPLOYMENTS, kind: 'ReplicaSet', plural: 'replicasets' };

/** A Deployment by its name, in one namespace or in whichever it is. */
export interface DeploymentRef {
  readonly name: string;
  readonly namespace?: string;
}

export function deploymentTarget(ref: DeploymentRef, advice: Advice = {}): Target {
  return {
    name: `Deployment ${ref.name}`,
    symptoms: async (cluster) => {
      const found = await deploymentsOf(ref, cluster);
      const symptoms = await Promise.all(found.map((deployment) => lookAt(deployment, cluster, advice)));
      return symptoms.filter((symptom) => symptom !== undefined);
    },
  };
}

export async function deploymentsOf({ name, namespace }: DeploymentRef, cluster: Cluster): Promise<KubernetesObject[]> {
  return optional(cluster.listAll(DEPLOYMENTS, { namespace, fieldSelector: `metadata.name=${name}` }));
}

/** Pods are asked for only where the Deployment itself says that something is missing. */
async function lookAt(deployment: KubernetesObject, cluster: Cluster, advice: Advice): Promise<Symptom | undefined> {
  if (isRolledOut(deployment)) return undefined;
  const { namespace } = deployment.metadata;
  const options = { namespace, labelSelector: selectorOf(deployment) };
  const [replicaSets, pods] = await Promise.all([
    cluster.listAll(REPLICA_SETS, options),
    cluster.listAll(PODS, options),
  ]);
  return deploymentSymptom(deployment, newestPods<Pod>(deployment, replicaSets, pods), advice);
}

function selectorOf({ spec }: KubernetesObject): string {
  const labels = objectAt(spec, 'selector', 'matchLabels');
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${String(value)}`)
    .join();
}

export function catalogTarget(name: string): Target {
  return single(CATALOGS, name, catalogSymptom);
}

/** An extension, and the version of its bundle that is waited for. */
export function extensionTarget(name: string, version: string | undefined): Target {
  return single(EXTENSIONS, name, (extension) => extensionSymptom(extension, version));
}

function single(
  type: ResourceType,
  name: string,
  symptomOf: (object: KubernetesObject) => Symptom | undefined,
): Target {
  return {
    name: `${type.kind} ${name}`,
    symptoms: async (cluster) => {
      const found = await optional(cluster.listAll(type, { fieldSelector: `metadata.name=${name}` }));
      return found.map(symptomOf).filter((symptom) => symptom !== undefined);
    },
  };
}
