import {
  isObject,
  listAt,
  objectAt,
  objectsAt,
  textAt,
  textOf,
  valueAt,
  type OpenObject,
} from '../../packages/lib/json.ts';
import { code } from '../../packages/lib/markdown.ts';
import type { Sample } from './sample.ts';

/** What is known of a container, by what it is called on the page. */
export type Rows = ReadonlyMap<string, string>;

/** A row for each side of a pod that readers ask about. What is not set has none. */
export function podRows({ deployment, pod, container, metrics }: Sample): Rows {
  return present({
    Ports: objectsAt(container, 'ports')
      .map((port) => `${code(textOf(port['containerPort']))} (${textAt(port, 'name')})`)
      .join(', '),
    'Startup probe': probe(objectAt(container, 'startupProbe')),
    'Readiness probe': probe(objectAt(container, 'readinessProbe')),
    'Liveness probe': probe(objectAt(container, 'livenessProbe')),
    'A rollout has failed after': seconds(deployment['progressDeadlineSeconds']),
    'Goes on serving, once told to stop': seconds(valueAt(container, 'lifecycle', 'preStop', 'sleep', 'seconds')),
    'Time to stop': seconds(pod['terminationGracePeriodSeconds']),
    Metrics: metrics['path'] === undefined ? '' : `${code(textAt(metrics, 'path'))} on port ${textAt(metrics, 'port')}`,
    'Writable folders': folders(pod, container),
    Requests: pairs(objectAt(container, 'resources', 'requests')),
    Limits: pairs(objectAt(container, 'resources', 'limits')),
    "The pod's security context": leaves(objectAt(pod, 'securityContext')),
    "The container's security context": leaves(objectAt(container, 'securityContext')),
    'Variables of Services': switchText(pod['enableServiceLinks']),
    'Token of the service account': switchText(pod['automountServiceAccountToken']),
  });
}

/** The rows that say something. */
export function present(rows: Readonly<Record<string, string>>): Rows {
  return new Map(Object.entries(rows).filter(([, text]) => text !== ''));
}

/** `NAME=value` of each variable. */
export function environment(container: OpenObject): string[] {
  return objectsAt(container, 'env').map((variable) => {
    const { name, key } = objectAt(variable, 'valueFrom', 'secretKeyRef');
    const value = name === undefined ? textAt(variable, 'value') : `(${textOf(key)} of the Secret)`;
    return code(`${textAt(variable, 'name')}=${value}`);
  });
}

function probe({ httpGet, periodSeconds, failureThreshold = 3, timeoutSeconds = 1 }: OpenObject): string {
  if (httpGet === undefined) return '';
  const times = `every ${seconds(periodSeconds)}, ${seconds(timeoutSeconds)} for an answer`;
  const span = seconds(Number(periodSeconds) * Number(failureThreshold));
  const failures = failureThreshold === 1 ? '1 failure' : `${textOf(failureThreshold)} failures`;
  return `${code(textAt(httpGet, 'path'))} ${times}; has failed after ${failures} (${span})`;
}

function seconds(given: unknown): string {
  if (given === undefined) return '';
  const count = Number(given);
  return count >= 120 && count % 60 === 0 ? `${String(count / 60)} min` : `${String(count)} s`;
}

/** What the container may write to, and where it is kept. */
function folders(pod: OpenObject, container: OpenObject): string {
  const volumes = new Map(objectsAt(pod, 'volumes').map((volume) => [textAt(volume, 'name'), volume]));
  const writable = objectsAt(container, 'volumeMounts').filter((mount) => mount['readOnly'] !== true);
  return writable
    .map((mount) => `${code(textAt(mount, 'mountPath'))} (${medium(volumes.get(textAt(mount, 'name')))})`)
    .join(', ');
}

function medium(volume: unknown): string {
  const where = textAt(volume, 'emptyDir', 'medium') === 'Memory' ? 'memory' : "the node's disk";
  const size = textAt(volume, 'emptyDir', 'sizeLimit');
  return size === '' ? where : `${where}, ${size}`;
}

function pairs(amounts: OpenObject): string {
  return Object.entries(amounts)
    .map(([name, amount]) => `${name} ${code(textOf(amount))}`)
    .join(', ');
}

/** Every plain value below an object, by its path. */
function leaves(object: OpenObject, path = ''): string {
  return Object.entries(object)
    .map(([key, value]) => {
      if (isObject(value)) return leaves(value, `${path}${key}.`);
      const items = listAt(value);
      return code(`${path}${key}: ${items.length > 0 ? items.map(textOf).join(', ') : textOf(value)}`);
    })
    .join(', ');
}

function switchText(value: unknown): string {
  return value === false ? 'none' : '';
}
