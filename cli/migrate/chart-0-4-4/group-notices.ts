import { valueAt } from '../../../packages/lib/json.ts';
import { names } from '../../../packages/lib/message.ts';
import type { Problem } from '../../../packages/lib/problem.ts';
import { isEmpty } from '../../../packages/lib/values.ts';
import { ENGINE_SERVICE_PORT } from '../../../packages/render/engines/open.ts';
import type { GroupInput } from './application.ts';
import { podNotices } from './pod-notices.ts';
import { claimName } from './storage.ts';
import type { Group } from './values.ts';

/** What a group says that an application cannot, and what is not quite the same. */
export function groupNotices(input: GroupInput): Problem[] {
  const { name, group } = input;
  const path = `modelGroups.${name}`;
  return [
    ...aliasNotices(path, input),
    ...keyNotice(path, group),
    ...networkNotices(path, group),
    ...claimNotices(path, input),
    ...accountNotice(path, group),
    ...strategyNotice(path, group),
    ...podNotices(path, group),
  ];
}

function aliasNotices(path: string, { name, routing }: GroupInput): Problem[] {
  const lost = routing.filter(({ group }) => group !== name);
  return [
    ...lost.map(({ alias, group }) => ({
      path: `${path}.modelAlias`,
      value: alias,
      message: `is an alias of ${group} too, to which the chart sends all its requests: it is left out`,
      remedy: `Add it to aliases to let both share its requests by weight.`,
    })),
    ...(lost.length < routing.length
      ? []
      : [
          {
            path: `${path}.modelAlias`,
            message: 'has no alias of its own, so no request reached the group: the application has weight 0',
            remedy: 'Give it aliases and remove weight to let clients ask for it.',
          },
        ]),
  ];
}

/** The value is a secret. */
function keyNotice(path: string, { apiKey }: Group): Problem[] {
  if (isEmpty(apiKey)) return [];
  return [
    {
      path: `${path}.apiKey`,
      message: 'cannot be converted: the gateway sends engines no key',
      remedy: "Remove the key from the engine's command and env; its NetworkPolicy lets nobody but the gateway ask it.",
    },
  ];
}

function networkNotices(path: string, { service, additionalPorts = [] }: Group): Problem[] {
  const { type } = service ?? {};
  const rest = `an application's Service is for the gateway, of type ClusterIP with the one port ${ENGINE_SERVICE_PORT}`;
  return [
    ...(type === undefined || type === 'ClusterIP'
      ? []
      : [
          {
            path: `${path}.service.type`,
            value: type,
            message: `cannot be converted: ${rest}`,
            remedy: 'Let clients ask the gateway, or make a Service of your own for the pods.',
          },
        ]),
    ...(additionalPorts.length === 0
      ? []
      : [
          {
            path: `${path}.additionalPorts`,
            message: `are ports of the pods only (${names(additionalPorts.map(({ name }) => name))}): ${rest}`,
            remedy: 'Let Prometheus read them with a PodMonitor.',
          },
        ]),
  ];
}

function claimNotices(path: string, { name, group, prefix }: GroupInput): Problem[] {
  return (group.persistentVolumes ?? []).map((volume, index) => ({
    path: `${path}.persistentVolumes[${String(index)}]`,
    message: `is mounted from the claim ${claimName(prefix, name, volume.name)}, which the operator does not make`,
    remedy:
      "Keep the release's claim, or make one of that name. A new stack needs none: modelCache makes one, at /mnt/models.",
  }));
}

function accountNotice(path: string, { serviceAccount }: Group): Problem[] {
  if (serviceAccount?.create !== true) return [];
  return [
    {
      path: `${path}.serviceAccount`,
      message: 'cannot be converted: all pods of a stack have the same ServiceAccount, and engines no token of it',
      remedy: 'Put its annotations into spec.serviceAccount, or make a stack of its own for the group.',
    },
  ];
}

/** Pairs of maxSurge and maxUnavailable that are ways of the operator. */
const EXACT = ['1/0', '0/1'];

function strategyNotice(path: string, { strategy }: Group): Problem[] {
  const surge = valueAt(strategy, 'rollingUpdate', 'maxSurge');
  const unavailable = valueAt(strategy, 'rollingUpdate', 'maxUnavailable');
  if (surge === undefined && unavailable === undefined) return [];
  if (EXACT.includes(`${String(surge)}/${String(unavailable)}`)) return [];
  return [
    {
      path: `${path}.strategy.rollingUpdate`,
      value: strategy?.['rollingUpdate'],
      message: 'cannot be converted: pods are replaced one at a time, with one more or one less meanwhile',
      remedy: 'Look at rollout, which has the nearest way.',
    },
  ];
}
