import { GATEWAY_DEFAULTS } from '../../../packages/api/defaults.ts';
import { isObject, listAt, objectAt, valueAt, type OpenObject } from '../../../packages/lib/json.ts';
import type { Problem } from '../../../packages/lib/problem.ts';
import { definedOnly, isEmpty, overlay } from '../../../packages/lib/values.ts';
import { effectiveEnv, envNotices } from './env.ts';
import { nullNotices } from './nulls.ts';
import { asPrinted } from './printed.ts';

/** What the chart fills in where the operator fills in something else. */
const DEFAULTS = { image: { repository: 'tytn/gateway', tag: '0.3.5' } };

/** Of all variables, this one alone is the chart's. */
const OVERRULED = ['TAKEOFF_ADD_READER_ID_SUFFIX'];

export function convertGateway(given: OpenObject): OpenObject {
  const { config, ports, env } = given;
  return objectAt(
    overlay(DEFAULTS, {
      ...given,
      ...definedOnly({
        config: isObject(config) ? asPrinted(config, 'gateway', 'config') : config,
        // Helm takes the default away, and only the empty list does so in a spec.
        ports: ports === null ? [] : ports,
        env: effectiveEnv({ env: withValues(env), overruled: OVERRULED }),
      }),
    }),
  );
}

export function gatewayNotices(given: OpenObject): Problem[] {
  return [
    ...envNotices('gateway', { env: given['env'], overruled: OVERRULED }),
    ...listAt(given, 'env').flatMap((variable, index) =>
      hasValue(variable)
        ? []
        : [{ path: `gateway.env[${String(index)}]`, message: 'is left out, as the chart does without a value' }],
    ),
    ...nullNotices('gateway', given, { ...objectAt(overlay(GATEWAY_DEFAULTS, DEFAULTS)), ports: undefined }),
  ];
}

function withValues(env: unknown): unknown {
  return Array.isArray(env) ? env.filter(hasValue) : env;
}

function hasValue(variable: unknown): boolean {
  return !isEmpty(valueAt(variable, 'value')) || !isEmpty(valueAt(variable, 'valueFrom'));
}
