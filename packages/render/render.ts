import { GATEWAY, given } from '../api/names.ts';
import type { FrozenDefaults, InferenceStack } from '../api/types.ts';
import { renderApplication } from './application.ts';
import { effectiveSpec, isReader, type EffectiveSpec } from './effective.ts';
import { takeoffObjects } from './takeoff-gateway.ts';
import type {
  Component,
  GatewayResult,
  KeptRevision,
  RenderedObject,
  RenderContext,
  RenderedApplication,
  RenderResult,
} from './model.ts';
import { applicationComponent, namePrefix, objectLabels, selectorLabels, withoutComponent } from './names.ts';
import { networkPolicy } from './network-policy.ts';
import { noticeParts } from './notices.ts';
import { onwardsObjects, type OnwardsInput } from './onwards/gateway.ts';
import type { Upstream } from './onwards/pools.ts';
import { ownValue, present } from '../lib/values.ts';

/** Turns a valid stack into the objects that serve it. Pure: the same input always gives the same output. */
export function render(stack: InferenceStack, context: RenderContext): RenderResult {
  const parts = renderParts(stack, context);
  for (;;) {
    const { done, value } = parts.next();
    if (done === true) return value;
  }
}

/** The same in small parts, for callers that have something else to do meanwhile, or have the effective spec already. */
export function* renderParts(
  stack: InferenceStack,
  context: RenderContext,
  spec = effectiveSpec(stack.spec, context.defaults.gateway),
): Generator<undefined, RenderResult> {
  const stackName = stack.metadata.name;
  const namespace = stack.metadata.namespace ?? 'default';
  const prefix = namePrefix(stackName, spec);
  const runtimeVersion = runtimeVersionOf(spec, context);
  const component = (suffix: string, componentName: string): Component => {
    const selector = selectorLabels(componentName, stackName, spec);
    return { objectName: `${prefix}-${suffix}`, namespace, selector, labels: objectLabels(selector, runtimeVersion) };
  };
  const gateway = component(GATEWAY, GATEWAY);
  const serviceAccountName = serviceAccountNameOf(spec, prefix);
  const pod = { serviceAccountName, imagePullSecrets: spec.imagePullSecrets };

  const upstreams = Object.entries(spec.applications).flatMap(([name, application]): Upstream[] => {
    if (isReader(application)) return [];
    return [{ name, service: component(name, applicationComponent(name)).objectName, application }];
  });
  const door = gatewayResult({ component: gateway, gateway: spec.gateway, upstreams, runtimeVersion, pod }, context);
  const objects = [
    ...serviceAccount(spec, serviceAccountName, gateway),
    ...door.objects,
    ...networkPolicy(gateway, spec.gateway.kind, spec.networkPolicy),
  ];
  const kept = door.revision === undefined ? [] : [door.revision];
  yield;
  const applications: Record<string, RenderedApplication> = {};
  for (const [name, application] of Object.entries(spec.applications)) {
    const input = {
      name,
      component: component(name, applicationComponent(name)),
      gatewayName: gateway.objectName,
      pod: { ...pod, defaultTag: `${runtimeVersion}-gpu` },
      defaults: context.defaults,
      monitored: spec.gateway.exportPrometheusMetrics && context.capabilities.serviceMonitor,
      assignsUserIds: context.capabilities.assignsUserIds,
    };
    const result = renderApplication(input, application, {
      kedaKnown: context.capabilities.keda,
      rollout: ownValue(context.rollouts, name) ?? 'surge',
    });
    objects.push(...result.objects);
    applications[name] = result.rendered;
    if (result.rendered.revision !== undefined) kept.push(result.rendered.revision);
    yield;
  }
  const notices = yield* noticeParts(stack.spec, spec, context);
  return {
    spec,
    objects: sorted(objects),
    applications,
    gatewayImage: door.image,
    defaults: keptDefaults(spec, context, kept),
    notices,
  };
}

interface GatewayInput extends Pick<OnwardsInput, 'component' | 'upstreams' | 'pod'> {
  readonly gateway: EffectiveSpec['gateway'];
  readonly runtimeVersion: string;
}

function gatewayResult(
  { component, gateway, upstreams, runtimeVersion, pod }: GatewayInput,
  { capabilities, defaults }: RenderContext,
): GatewayResult {
  const { serviceMonitor: serviceMonitorKnown, assignsUserIds } = capabilities;
  if (gateway.kind === 'onwards') {
    return onwardsObjects({ component, gateway, upstreams, pod, defaults, serviceMonitorKnown, assignsUserIds });
  }
  return takeoffObjects(component, gateway, { ...pod, defaultTag: `${runtimeVersion}-cpu` }, serviceMonitorKnown);
}

/** The first use of a table decides which revision the stack keeps. */
function keptDefaults(
  { gateway }: EffectiveSpec,
  { defaults }: RenderContext,
  kept: readonly KeptRevision[],
): FrozenDefaults {
  if (kept.length === 0) return { ...defaults, gateway: gateway.kind };
  const used = Object.fromEntries(kept.map(({ table, revision }) => [table, revision]));
  return { ...defaults, gateway: gateway.kind, revisions: { ...defaults.revisions, ...used } };
}

export function runtimeVersionOf({ runtimeVersion }: EffectiveSpec, context: RenderContext): string {
  if (runtimeVersion === 'operator') return context.operatorDefaults.runtimeVersion;
  return runtimeVersion ?? context.defaults.runtimeVersion;
}

function serviceAccountNameOf({ serviceAccount: { create, name } }: EffectiveSpec, prefix: string): string {
  return given(name) ?? (create ? prefix : 'default');
}

/** Belongs to no component, and so has no label for one. */
function serviceAccount({ serviceAccount }: EffectiveSpec, name: string, gateway: Component): RenderedObject[] {
  if (!serviceAccount.create) return [];
  return [
    {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: {
        name,
        namespace: gateway.namespace,
        labels: withoutComponent(gateway.labels),
        ...present({ annotations: serviceAccount.annotations }),
      },
      automountServiceAccountToken: serviceAccount.automount,
    },
  ];
}

const ORDER = [
  'ServiceAccount',
  'PersistentVolumeClaim',
  'ConfigMap',
  'Service',
  'NetworkPolicy',
  'Deployment',
  'PodDisruptionBudget',
  'ScaledObject',
  'Ingress',
  'ServiceMonitor',
];

/** What others need comes first; within a kind the order is the one in which they were made. */
function sorted(objects: RenderedObject[]): RenderedObject[] {
  return objects.toSorted((one, other) => ORDER.indexOf(one.kind) - ORDER.indexOf(other.kind));
}
