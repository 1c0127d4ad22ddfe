import type { Application, ApplicationRollout, Image } from '../../../packages/api/types.ts';
import { objectAt, valueAt, type OpenObject } from '../../../packages/lib/json.ts';
import type { Problem } from '../../../packages/lib/problem.ts';
import { definedOnly, present } from '../../../packages/lib/values.ts';
import { groupNotices } from './group-notices.ts';
import { numberOf, probeOf } from './probes.ts';
import type { Route } from './routing.ts';
import { homeOf, securityOf } from './security.ts';
import { storageOf } from './storage.ts';
import type { AdditionalPort, Group } from './values.ts';

/** A group of the chart, and what it has to do with the others. */
export interface GroupInput {
  readonly name: string;
  readonly group: Group;
  /** What the names of all objects of the release begin with. */
  readonly prefix: string;
  readonly routing: readonly Route[];
}

/** A group as an application that runs the same container and gets the same requests. */
export function applicationOf(input: GroupInput): { readonly application: Application; readonly notices: Problem[] } {
  const { name, group, prefix, routing } = input;
  const { modelName, command, args, resources, nodeSelector, tolerations, affinity, podAnnotations } = group;
  const aliases = routing.filter((route) => route.group === name).map(({ alias }) => alias);
  const application = definedOnly({
    engine: 'openai' as const,
    image: imageOf(group.image),
    model: modelName === undefined || modelName === '' ? undefined : { name: modelName },
    // Without an alias it would be asked for by its own name.
    ...(aliases.length === 0 ? { weight: 0 } : { aliases }),
    ...present({ command, args }),
    port: numberOf(group.containerPort),
    ...present({ ports: group.additionalPorts?.map(portOf) }),
    replicaCount: numberOf(group.replicaCount),
    rollout: rolloutOf(group.strategy),
    ...present({ env: [...(group.env ?? []), ...homeOf(group)] }),
    startupProbe: probeOf(group.startupProbe),
    livenessProbe: probeOf(group.livenessProbe),
    readinessProbe: probeOf(group.readinessProbe),
    ...present({ resources }),
    ...securityOf(group),
    ...present({ ...storageOf(prefix, name, group) }),
    ...present({ nodeSelector, tolerations, affinity, podAnnotations }),
  });
  return { application, notices: groupNotices(input) };
}

/** The chart's tag, where values name none. Kubernetes pulls it each time, unless it is told otherwise. */
const NEWEST = 'latest';

function imageOf({ repository, tag, pullPolicy }: Image = {}): Image {
  const chosen = tag === undefined || tag === '' ? NEWEST : tag;
  return definedOnly({
    repository,
    tag: chosen,
    pullPolicy: pullPolicy ?? (chosen === NEWEST ? 'Always' : 'IfNotPresent'),
  });
}

function portOf({ name, containerPort, protocol = 'TCP' }: AdditionalPort): OpenObject {
  return { name, containerPort: Number(containerPort), protocol };
}

/** The operator's way of replacing pods that is the same as the chart's, or the nearest one; undefined where values leave it open. */
function rolloutOf(strategy: OpenObject | undefined): ApplicationRollout | undefined {
  if (valueAt(strategy, 'type') === 'Recreate') return 'recreate';
  const { maxSurge, maxUnavailable } = objectAt(strategy, 'rollingUpdate');
  if (maxSurge === undefined && maxUnavailable === undefined) return undefined;
  return isNone(maxSurge) && !isNone(maxUnavailable) ? 'inPlace' : 'surge';
}

function isNone(amount: unknown): boolean {
  return amount === 0 || amount === '0' || amount === '0%';
}
