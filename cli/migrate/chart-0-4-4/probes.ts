import type { OpenObject } from '../../../packages/lib/json.ts';
import { definedOnly } from '../../../packages/lib/values.ts';
import { PORT_NAME } from '../../../packages/render/engines/ports.ts';
import type { ChartProbe, Numeric, ProbeTimes } from './values.ts';

/** A group's probe. One that is not enabled is an empty map: the application has none then, not even the engine's own. */
export function probeOf({ enabled = false, type, path, ...times }: ChartProbe = {}): OpenObject {
  if (!enabled) return {};
  const handler =
    type === 'tcp' ? { tcpSocket: { port: PORT_NAME } } : { httpGet: definedOnly({ path, port: PORT_NAME }) };
  return { ...handler, ...timesOf(times) };
}

export function timesOf(times: ProbeTimes): OpenObject {
  return definedOnly({
    initialDelaySeconds: numberOf(times.initialDelaySeconds),
    periodSeconds: numberOf(times.periodSeconds),
    timeoutSeconds: numberOf(times.timeoutSeconds),
    failureThreshold: numberOf(times.failureThreshold),
  });
}

/** A number that may be written as a text. */
export function numberOf(value: Numeric | undefined): number | undefined {
  return value === undefined ? undefined : Number(value);
}
