import { SERVICE_ACCOUNT_DEFAULTS } from '../../packages/api/defaults.ts';
import type { InferenceStackSpec } from '../../packages/api/types.ts';
import { objectAt, type OpenObject } from '../../packages/lib/json.ts';
import { withoutNulls } from '../../packages/lib/values.ts';
import { convertApplications } from './chart-1-8-2/application.ts';
import { convertGateway, gatewayNotices } from './chart-1-8-2/gateway.ts';
import { nullNotices } from './chart-1-8-2/nulls.ts';
import { valuesRead } from './chart-1-8-2/values.ts';
import type { Conversion } from './conversion.ts';

/**
 * Values of the public chart inference-stack 1.8.2 as the spec of a stack that runs the same. What the chart fills in is written out where
 * the operator would fill in something else. Whether the spec is valid is for its rules to say. Paths of notices are those of the values.
 */
export function convertChart182(given: unknown): Conversion {
  const { values, notices } = valuesRead(given);
  const { serviceAccount: account, gateway, applicationTemplate, applications, ...rest } = values;
  const named = Object.entries(objectAt(applications)).map(
    ([name, application]) => [name, objectAt(application)] as const,
  );
  const converted = convertApplications(objectAt(applicationTemplate), Object.fromEntries(named));
  const spec = {
    ...rest,
    serviceAccount: account === undefined ? undefined : convertServiceAccount(objectAt(account)),
    gateway: convertGateway(objectAt(gateway)),
    applicationTemplate: converted.applicationTemplate,
    applications: converted.applications,
  };
  return {
    spec: withoutNulls(spec) as InferenceStackSpec,
    notices: [
      ...notices,
      ...nullNotices('serviceAccount', account, { automount: SERVICE_ACCOUNT_DEFAULTS.automount }),
      ...gatewayNotices(objectAt(gateway)),
      ...converted.notices,
    ],
  };
}

/** Without a word about it, the chart makes none. */
function convertServiceAccount(given: OpenObject): OpenObject {
  return given['create'] === null ? { ...given, create: false } : given;
}
