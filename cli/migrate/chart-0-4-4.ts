import type { Application, InferenceStackSpec } from '../../packages/api/types.ts';
import { UNKNOWN_FIELD, structuralProblems } from '../../packages/api/structural.ts';
import { type Problem, refuse } from '../../packages/lib/problem.ts';
import { definedOnly, present, setOwn } from '../../packages/lib/values.ts';
import { namePrefix } from '../../packages/render/names.ts';
import { applicationOf } from './chart-0-4-4/application.ts';
import { withChartDefaults } from './chart-0-4-4/defaults.ts';
import { gatewayOf } from './chart-0-4-4/gateway.ts';
import { routingOf } from './chart-0-4-4/routing.ts';
import { SCHEMA } from './chart-0-4-4/schema.ts';
import { stackNotices } from './chart-0-4-4/stack-notices.ts';
import type { ChartValues, Group } from './chart-0-4-4/values.ts';
import type { Conversion } from './conversion.ts';
import { withoutSecrets } from './without-secrets.ts';

/**
 * Values of doublewordai/inference-stack 0.4.4. Its model groups become applications with the engine `openai`, which adds nothing to the
 * command that the values give. Claims are named after the release.
 */
export function convertChart044(values: unknown, release: string): Conversion {
  const { given, unknown } = read(values);
  const prefix = namePrefix(release, given);
  const groups = Object.entries(given.modelGroups ?? {}).toSorted(([one], [other]) => (one < other ? -1 : 1));
  const enabled = groups.filter(([, { enabled = false }]) => enabled);
  const routing = routingOf(enabled);

  const gateway = gatewayOf(given, prefix);
  const applications: Record<string, Application> = {};
  const notices: Problem[] = [...unknown, ...gateway.notices, ...stackNotices(given, prefix)];
  for (const [name, group] of groups) {
    if (group.enabled !== true) {
      notices.push(leftOut(name));
      continue;
    }
    const converted = applicationOf({ name, group, prefix, routing: routing[name] ?? [] });
    setOwn(applications, name, converted.application);
    notices.push(...converted.notices);
  }
  return { spec: specOf(given, enabled, { gateway: gateway.gateway, applications }), notices };
}

/** The values with what the chart itself adds to them, or everything that is wrong with them. */
function read(values: unknown): { readonly given: ChartValues; readonly unknown: readonly Problem[] } {
  const given = withChartDefaults(values);
  const problems = structuralProblems(SCHEMA, given);
  const isUnknown = ({ message }: Problem): boolean => message === UNKNOWN_FIELD;
  refuse(problems.filter((problem) => !isUnknown(problem)).map(withoutSecrets));
  const message = 'is not a value of the chart, which ignores it';
  return { given: given as ChartValues, unknown: problems.filter(isUnknown).map((each) => ({ ...each, message })) };
}

function leftOut(name: string): Problem {
  const path = `modelGroups.${name}.enabled`;
  return { path, message: 'is not true, so the group is left out', remedy: 'Enable it to convert it.' };
}

type Parts = Required<Pick<InferenceStackSpec, 'gateway' | 'applications'>>;

function specOf(given: ChartValues, groups: readonly (readonly [string, Group])[], parts: Parts): InferenceStackSpec {
  const { nameOverride, fullnameOverride, onwards = {} } = given;
  const secrets = [onwards, ...groups.map(([, group]) => group)].flatMap(
    ({ imagePullSecrets = [] }) => imagePullSecrets,
  );
  const imagePullSecrets = [...new Map(secrets.map((secret) => [secret.name, secret])).values()];
  const { create, name, annotations } = onwards.serviceAccount ?? {};
  return definedOnly({
    ...present({ nameOverride, fullnameOverride, imagePullSecrets }),
    ...present({ serviceAccount: present({ create, name, annotations }) }),
    ...parts,
  });
}
