import { CONFIG_HASH_ANNOTATION } from '../../../../packages/api/constants.ts';
import type { OpenObject } from '../../../../packages/lib/json.ts';
import type { EnvVar, InferenceStackSpec } from '../../../../packages/api/types.ts';
import type { RenderedObject } from '../../../../packages/render/model.ts';
import type { Difference } from './differences.ts';

/** Stands for whatever hash a pod template has; that it changes when it must is tested elsewhere. */
export const ANY_HASH = 'any';

/** A Deployment of the chart, as far as its pods are concerned. */
interface Workload {
  readonly spec: {
    strategy?: OpenObject;
    template: { metadata: { labels: OpenObject; annotations?: OpenObject }; spec: Pod };
  };
}

interface Pod {
  initContainers?: OpenObject[];
  securityContext?: OpenObject;
  terminationGracePeriodSeconds?: number;
  volumes: OpenObject[];
  containers: { env: EnvVar[]; volumeMounts: OpenObject[]; lifecycle?: OpenObject }[];
}

export const POD_DIFFERENCES: readonly Difference[] = [
  onPods('No versions on pods', ({ spec: { template } }) => {
    const { labels } = template.metadata;
    for (const label of ['helm.sh/chart', 'app.kubernetes.io/version']) Reflect.deleteProperty(labels, label);
    labels['app.kubernetes.io/managed-by'] = 'inference-stack-operator';
  }),
  onPods('A hash of the configuration', ({ spec: { template } }) => {
    template.metadata.annotations = { ...template.metadata.annotations, [CONFIG_HASH_ANNOTATION]: ANY_HASH };
  }),
  onPods('No init container', ({ spec: { template } }, _values, isGateway) => {
    const { spec: pod } = template;
    delete pod.initContainers;
    const handedOver = pod.volumes.some(
      (volume) => 'persistentVolumeClaim' in volume || 'ephemeral' in volume || 'csi' in volume,
    );
    if (isGateway || !handedOver || pod.securityContext?.['fsGroup'] !== undefined) return;
    pod.securityContext = { fsGroup: 1000, fsGroupChangePolicy: 'OnRootMismatch', ...pod.securityContext };
  }),
  onPods('A models volume has a name', ({ spec: { template } }) => {
    for (const volume of template.spec.volumes) volume['name'] ??= 'models';
    for (const mount of template.spec.containers[0]?.volumeMounts ?? []) mount['name'] ??= 'models';
  }),
  onPods('Rollouts that need no spare GPU by chance', ({ spec }, _values, isGateway) => {
    if (!isGateway) spec.strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };
  }),
  onPods('Pods drain before they stop', ({ spec: { template } }, _values, isGateway) => {
    template.spec.terminationGracePeriodSeconds = isGateway ? 60 : 120;
    const container = template.spec.containers[0];
    if (isGateway && container !== undefined) container.lifecycle = { preStop: { sleep: { seconds: 10 } } };
  }),
  onPods(
    'The gateway’s environment keeps its order, its empty values and the user’s word',
    (workload, values, isGateway) => {
      const container = workload.spec.template.spec.containers[0];
      if (!isGateway || container === undefined) return;
      const given = values.gateway?.env ?? [];
      const required = container.env.filter(({ name }) => !given.some((variable) => variable.name === name));
      container.env = [...given, ...required];
    },
  ),
];

function onPods(
  title: string,
  change: (workload: Workload, values: InferenceStackSpec, isGateway: boolean) => void,
): Difference {
  return {
    title,
    apply: (object: RenderedObject, values) => {
      if (object.kind !== 'Deployment') return;
      const isGateway = object.metadata.labels['app.kubernetes.io/component'] === 'gateway';
      change(object as unknown as Workload, values, isGateway);
    },
  };
}
