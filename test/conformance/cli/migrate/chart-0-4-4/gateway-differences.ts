import { objectAt, objectsAt, type OpenObject } from '../../../../../packages/lib/json.ts';
import type { ValuesCase } from './case.ts';
import { type Difference, forget, forgetAdded, isGateway, type Workload, workloadOf } from './pair.ts';

/** How the gateway's pods differ. What values say of them is the same, as far as no notice says otherwise. */
export const GATEWAY_DIFFERENCES: readonly Difference[] = [
  onGateway('The gateway’s image and arguments', ({ theirs, our }, onwards) => {
    const { tag } = objectAt(onwards, 'image');
    if (tag === undefined || tag === 'v0.3.0') forget([theirs.container, our.container], 'image', 'imagePullPolicy');
    forget([theirs.container, our.container], 'name', 'args');
  }),
  onGateway('A table that reaches running gateways', ({ theirs, our }) => {
    forget([our.pod], 'initContainers');
    forget([objectAt(theirs.template, 'metadata', 'annotations')], 'checksum/config');
    without(theirs, ['config-volume']);
    without(our, ['table', 'routes']);
    for (const each of [...objectsAt(theirs.pod, 'volumes'), ...objectsAt(theirs.container, 'volumeMounts')]) {
      if (each['name'] === 'routes') each['name'] = 'chart-routes';
    }
  }),
  onGateway('What values do not say of the gateway is the operator’s', ({ theirs, our }, onwards) => {
    const both = [theirs.container, our.container];
    if (!('probes' in onwards)) forget(both, 'livenessProbe', 'readinessProbe');
    if (!('resources' in onwards)) forget(both, 'resources');
    if (!('podSecurityContext' in onwards)) forget([theirs.pod, our.pod], 'securityContext');
    if (!('securityContext' in onwards)) forget(both, 'securityContext');
    if (!('metrics' in onwards)) return;
    if (objectAt(onwards, 'metrics')['enabled'] === false) forget([theirs.container, our.container], 'ports');
  }),
  onGateway('The gateway is hardened, and leaves without an error', ({ theirs, our }) => {
    const pods = ['runAsUser', 'runAsGroup', 'runAsNonRoot', 'seccompProfile'];
    forgetAdded(objectAt(theirs.pod, 'securityContext'), objectAt(our.pod, 'securityContext'), ...pods);
    const given = objectAt(theirs.container, 'securityContext');
    forgetAdded(given, objectAt(our.container, 'securityContext'), 'allowPrivilegeEscalation');
    for (const side of ['requests', 'limits']) {
      forget([objectAt(our.container, 'resources', side)], 'ephemeral-storage');
    }
    our.container['env'] = objectsAt(our.container, 'env').filter(({ name }) => name !== 'NO_COLOR');
    forget([our.spec], 'strategy');
    forget([our.pod], 'terminationGracePeriodSeconds');
    const all = objectsAt(our.pod, 'imagePullSecrets').map(({ name }) => name);
    const secrets = objectsAt(theirs.pod, 'imagePullSecrets').map(({ name }) => name);
    if (secrets.every((name) => all.includes(name))) forget([theirs.pod, our.pod], 'imagePullSecrets');
  }),
];

function without({ pod, container }: Workload, volumes: readonly string[]): void {
  const isLeft = ({ name }: OpenObject): boolean => !volumes.includes(String(name));
  pod['volumes'] = objectsAt(pod, 'volumes').filter(isLeft);
  container['volumeMounts'] = objectsAt(container, 'volumeMounts').filter(isLeft);
}

type Sides = Readonly<Record<'theirs' | 'our', Workload>>;

function onGateway(title: string, level: (sides: Sides, onwards: OpenObject) => void): Difference {
  return {
    title,
    level: ({ chart, ours }, { values }: ValuesCase) => {
      if (chart.kind !== 'Deployment' || !isGateway(ours)) return;
      forget([objectAt(ours, 'metadata')], 'annotations');
      level({ theirs: workloadOf(chart), our: workloadOf(ours) }, objectAt(values, 'onwards'));
    },
  };
}
