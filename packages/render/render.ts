import { GATEWAY, given } from '../api/names.ts';
import type { InferenceStack } from '../api/types.ts';
import { renderApplication } from './application.ts';
import { effectiveSpec, type EffectiveSpec } from './effective.ts';
import { gatewayObjects } from './gateway.ts';
import type { Component, RenderedObject, RenderContext, RenderedApplication, RenderResult } from './model.ts';
import { applicationComponent, COMPONENT_LABEL, namePrefix, objectLabels, selectorLabels } from './names.ts';
import { noticeParts } from './notices.ts';
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
  spec = effectiveSpec(stack.spec),
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

  const objects = [
    ...serviceAccount(spec, serviceAccountName, gateway),
    ...gatewayObjects(
      gateway,
      spec.gateway,
      { ...pod, defaultTag: `${runtimeVersion}-cpu` },
      context.capabilities.serviceMonitor,
    ),
  ];
  yield;
  const applications: Record<string, RenderedApplication> = {};
  for (const [name, application] of Object.entries(spec.applications)) {
    const result = renderApplication({
      name,
      application,
      component: component(name, applicationComponent(name)),
      gatewayName: gateway.objectName,
      pod: { ...pod, defaultTag: `${runtimeVersion}-gpu` },
      kedaKnown: context.capabilities.keda,
      rollout: ownValue(context.rollouts, name) ?? 'surge',
    });
    objects.push(...result.objects);
    applications[name] = result.rendered;
    yield;
  }
  const notices = yield* noticeParts(stack.spec, spec, context.capabilities);
  return { spec, objects: sorted(objects), applications, notices };
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
  const labels = Object.fromEntries(Object.entries(gateway.labels).filter(([label]) => label !== COMPONENT_LABEL));
  return [
    {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: {
        name,
        namespace: gateway.namespace,
        labels,
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
