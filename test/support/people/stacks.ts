import { GROUP, OPERATOR_VERSION_LABEL, STORAGE_VERSION } from '../../../packages/api/constants.ts';
import { OPERATOR_DEFAULTS } from '../../../packages/api/defaults.ts';
import type { OpenObject } from '../../../packages/lib/json.ts';
import type { InferenceStack, InferenceStackSpec } from '../../../packages/api/types.ts';
import type { RenderedObject, RenderContext } from '../../../packages/render/model.ts';
import { render } from '../../../packages/render/render.ts';

/** A stack `chat` in namespace `team-a` for operator v1, with the given spec. */
export function stackWith(spec: InferenceStackSpec, name = 'chat', namespace = 'team-a'): InferenceStack {
  return {
    apiVersion: `${GROUP}/${STORAGE_VERSION}`,
    kind: 'InferenceStack',
    metadata: { name, namespace, labels: { [OPERATOR_VERSION_LABEL]: 'v1' } },
    spec,
  };
}

/** A cluster with every optional API, and nothing decided about rollouts. */
export function contextWith(changes: Partial<RenderContext> = {}): RenderContext {
  return {
    capabilities: { keda: true, serviceMonitor: true, assignsUserIds: false },
    defaults: OPERATOR_DEFAULTS,
    operatorDefaults: OPERATOR_DEFAULTS,
    rollouts: {},
    ...changes,
  };
}

/** The objects of a spec by `Kind/name without the stack's prefix`, e.g. `Deployment/gateway`. */
export function objectsOf(
  spec: InferenceStackSpec,
  changes: Partial<RenderContext> = {},
): Record<string, RenderedObject> {
  const { objects } = render(stackWith(spec), contextWith(changes));
  return Object.fromEntries(
    objects.map((object) => [`${object.kind}/${object.metadata.name.replace('chat-inference-stack-', '')}`, object]),
  );
}

/** The value at a path such as `spec.template.spec`, and then at a key that may contain dots. */
export function at(value: unknown, path: string, key?: string): unknown {
  const keys = key === undefined ? path.split('.') : [...path.split('.'), key];
  return keys.reduce<unknown>((current, name) => (current as OpenObject | undefined)?.[name], value);
}

const POD = 'spec.template.spec';

/** The pod of an application's or the gateway's Deployment. */
export function podOf(spec: InferenceStackSpec, component: string, changes: Partial<RenderContext> = {}): OpenObject {
  return at(objectsOf(spec, changes)[`Deployment/${component}`], POD) as OpenObject;
}
