import { isOpenEngine } from '../api/engine.ts';
import type { Application, Engine, InferenceStackSpec } from '../api/types.ts';
import type { Problem } from '../lib/problem.ts';
import { isEmpty } from '../lib/values.ts';
import type { EffectiveSpec } from './effective.ts';

/** Fields that are accepted, and do nothing for the engines that a stack has. */
export function effectNotices(
  given: InferenceStackSpec,
  { applications, gateway, networkPolicy }: EffectiveSpec,
): Problem[] {
  const engines = Object.values(applications).map(({ engine }) => engine);
  return [
    ...layerNotices('spec.applicationTemplate', given.applicationTemplate ?? {}, engines),
    ...Object.entries(applications).flatMap(([name, { engine }]) =>
      layerNotices(`spec.applications.${name}`, given.applications?.[name] ?? {}, [engine]),
    ),
    ...(gateway.kind === 'takeoff' && gateway.revision !== undefined ? [GATEWAY_REVISION] : []),
    ...policyNotice(networkPolicy, engines),
  ];
}

/** Fields of old manifests. */
const WITHOUT_EFFECT = ['ingress', 'service', 'exportPrometheusMetrics'] as const;

const OPEN_FIELDS = ['aliases', 'weight', 'command', 'args', 'port', 'engineRevision'] as const;
const EXTERNAL_FIELDS = ['externalEngineImage', 'sidecarImage', 'sidecar'] as const;

/** A field of the template has an effect if it has one on any application. */
function layerNotices(path: string, layer: Application, engines: readonly Engine[]): Problem[] {
  const given = (field: keyof Application): boolean => !isEmpty(layer[field]);
  const found = WITHOUT_EFFECT.filter(given).map((field) => ({
    path: `${path}.${field}`,
    message: 'has no effect',
    remedy: `Applications are reached through the gateway: set gateway.${field} instead.`,
  }));
  if (engines.length === 0) return found;
  const isExternal = engines.every((engine) => engine === 'external');
  const none = (fields: readonly (keyof Application)[], remedy: string): Problem[] =>
    fields
      .filter(given)
      .map((field) => ({ path: `${path}.${field}`, message: `has no effect with ${of(engines)}`, remedy }));
  const isOpen = engines.some(isOpenEngine);
  return [
    ...found,
    ...(isOpen ? [] : none(OPEN_FIELDS, 'It is for vllm, sglang, llamacpp and openai.')),
    ...(engines.includes('external') ? [] : none(EXTERNAL_FIELDS, 'It is for external.')),
    ...(isExternal ? none(['image'], 'Use externalEngineImage or sidecarImage.') : []),
    ...(isOpen && !isEmpty(layer.scaling?.metricTarget) ? [metricTarget(path)] : []),
  ];
}

function of(engines: readonly Engine[]): string {
  return [...new Set(engines)].sort().join(', ');
}

const GATEWAY_REVISION: Problem = {
  path: 'spec.gateway.revision',
  message: 'has no effect with takeoff',
  remedy: 'Use runtimeVersion.',
};

function metricTarget(path: string): Problem {
  const message = 'has no effect: Onwards tells KEDA nothing';
  return { path: `${path}.scaling.metricTarget`, message, remedy: 'Use scaling.spec.triggers.' };
}

function policyNotice(policy: InferenceStackSpec['networkPolicy'], engines: readonly Engine[]): Problem[] {
  if (isEmpty(policy) || policy?.enabled === false || engines.length === 0 || engines.some(isOpenEngine)) return [];
  const message = 'has no effect: it is about open engines, and the stack has none';
  return [{ path: 'spec.networkPolicy', message, remedy: 'Remove it.' }];
}
