import { INTERNAL_PORT } from '../api/defaults.ts';
import type { EffectiveApplication, EffectiveReader } from './effective.ts';
import { type Component, type RenderedObject, metaOf } from './model.ts';
import type { OpenObject } from '../lib/json.ts';
import { isEmpty } from '../lib/values.ts';

/** Tells KEDA to leave the number of pods alone. */
const PAUSED = { 'autoscaling.keda.sh/paused': 'true' } as const;

/** The object that lets KEDA choose the number of pods, by the user's triggers or else by these. */
export function scaledObject(
  component: Component,
  application: EffectiveApplication,
  triggers: readonly OpenObject[],
): RenderedObject {
  const { scaling } = application;
  const spec: OpenObject = { ...scaling.spec };
  // Old manifests have it here as well, where KEDA does not know it.
  delete spec['metricTarget'];
  return {
    apiVersion: 'keda.sh/v1alpha1',
    kind: 'ScaledObject',
    metadata: metaOf(component, application.suspend ? { ...scaling.annotations, ...PAUSED } : scaling.annotations),
    spec: {
      ...spec,
      triggers: isEmpty(spec['triggers']) ? triggers : spec['triggers'],
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: component.objectName },
    },
  };
}

/** KEDA asks the gateway how many requests wait for the application's consumer group. */
export function readerTrigger(
  { namespace }: Component,
  { readerConfig, scaling }: EffectiveReader,
  gatewayName: string,
): OpenObject {
  return {
    type: 'external-push',
    metadata: {
      scalerAddress: `${gatewayName}.${namespace}.svc.cluster.local:${String(INTERNAL_PORT)}`,
      [`target_${readerConfig.consumerGroup}`]: String(scaling.metricTarget.value),
    },
  };
}
