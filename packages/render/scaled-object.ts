import { INTERNAL_PORT } from '../api/defaults.ts';
import type { EffectiveApplication } from './effective.ts';
import { type Component, type RenderedObject, metaOf } from './model.ts';
import type { OpenObject } from '../lib/json.ts';
import { isEmpty } from '../lib/values.ts';

/** Tells KEDA to leave the number of pods alone. */
const PAUSED = { 'autoscaling.keda.sh/paused': 'true' } as const;

/** KEDA asks the gateway how many requests wait for the application's consumer group. */
export function scaledObject(
  component: Component,
  application: EffectiveApplication,
  gatewayName: string,
): RenderedObject {
  const { scaling } = application;
  const spec: OpenObject = { ...scaling.spec };
  // Old manifests have it here as well, where KEDA does not know it.
  delete spec['metricTarget'];
  const trigger = {
    type: 'external-push',
    metadata: {
      scalerAddress: `${gatewayName}.${component.namespace}.svc.cluster.local:${String(INTERNAL_PORT)}`,
      [`target_${application.readerConfig.consumerGroup}`]: String(scaling.metricTarget.value),
    },
  };
  return {
    apiVersion: 'keda.sh/v1alpha1',
    kind: 'ScaledObject',
    metadata: metaOf(component, application.suspend ? { ...scaling.annotations, ...PAUSED } : scaling.annotations),
    spec: {
      ...spec,
      triggers: isEmpty(spec['triggers']) ? [trigger] : spec['triggers'],
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: component.objectName },
    },
  };
}
