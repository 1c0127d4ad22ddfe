import { objectAt, objectsAt, type OpenObject } from '../../../../../packages/lib/json.ts';
import { isEmpty } from '../../../../../packages/lib/values.ts';
import { type Difference, forget, forgetAdded, isGateway, type Pair, type Workload, workloadOf } from './pair.ts';

/** How the pods of engines differ. Image, command, arguments, ports and probes are not among it. */
export const POD_DIFFERENCES: readonly Difference[] = [
  onEngines('Containers are named after their Deployment', ({ theirs }, { ours }) => {
    theirs.container['name'] = ours.metadata.name;
  }),
  onEngines('What Kubernetes would choose is written out', ({ theirs, our }) => {
    forgetAdded(theirs.container, our.container, 'imagePullPolicy');
  }),
  onEngines('Security contexts say more', ({ theirs, our }) => {
    const pods = ['runAsUser', 'runAsGroup', 'runAsNonRoot', 'seccompProfile'];
    forgetAdded(objectAt(theirs.pod, 'securityContext'), objectAt(our.pod, 'securityContext'), ...pods);
    const containers = ['allowPrivilegeEscalation', 'readOnlyRootFilesystem'];
    const given = objectAt(theirs.container, 'securityContext');
    const security = objectAt(our.container, 'securityContext');
    forgetAdded(given, security, ...containers);
    forgetAdded(objectAt(given, 'capabilities'), objectAt(security, 'capabilities'), 'drop');
  }),
  onEngines('Places to write', ({ theirs, our }) => {
    for (const [side, key] of [['pod', 'volumes'] as const, ['container', 'volumeMounts'] as const]) {
      const given = objectsAt(theirs[side], key).map(({ name }) => name);
      our[side][key] = objectsAt(our[side], key).filter(({ name }) => given.includes(name) || !isAdded(name));
    }
  }),
  onEngines('A home', ({ theirs, our }) => {
    const given = objectsAt(theirs.container, 'env').map(({ name }) => name);
    const isAdded = ({ name }: OpenObject): boolean => (name === 'HOME' || name === 'HF_HOME') && !given.includes(name);
    our.container['env'] = objectsAt(our.container, 'env').filter((variable) => !isAdded(variable));
  }),
  onEngines('Requests and limits', ({ theirs, our }) => {
    for (const side of ['requests', 'limits']) {
      const [given, all] = [theirs, our].map(({ container }) => objectAt(container, 'resources', side));
      forgetAdded(given ?? {}, all ?? {}, 'cpu', 'memory', 'ephemeral-storage');
    }
  }),
  onEngines('Rollouts, and how pods leave', ({ theirs, our }, { ours }) => {
    forget([our.pod], 'terminationGracePeriodSeconds');
    forget([our.container], 'lifecycle');
    forget([our.spec], 'progressDeadlineSeconds');
    forgetAdded(theirs.spec, our.spec, 'strategy');
    forget([objectAt(ours, 'metadata')], 'annotations');
  }),
  onEngines('One list of pull secrets', ({ theirs, our }) => {
    const all = objectsAt(our.pod, 'imagePullSecrets').map(({ name }) => name);
    const given = objectsAt(theirs.pod, 'imagePullSecrets').map(({ name }) => name);
    if (given.every((name) => all.includes(name))) forget([theirs.pod, our.pod], 'imagePullSecrets');
  }),
];

/** Whether a volume is one of the operator's, which get other names where the chart has volumes of the same. */
function isAdded(name: unknown): boolean {
  return ['cache', 'tmp', 'dshm'].includes(String(name).replace(/^(engine-)+/, ''));
}

type Sides = Readonly<Record<'theirs' | 'our', Workload>>;

function onEngines(title: string, level: (sides: Sides, pair: Pair) => void): Difference {
  return {
    title,
    level: (pair) => {
      if (pair.chart.kind !== 'Deployment' || isGateway(pair.ours)) return;
      const sides = { theirs: workloadOf(pair.chart), our: workloadOf(pair.ours) };
      for (const { pod, container } of Object.values(sides)) {
        for (const holder of [pod, container]) if (isEmpty(holder['securityContext'])) holder['securityContext'] = {};
      }
      level(sides, pair);
    },
  };
}
