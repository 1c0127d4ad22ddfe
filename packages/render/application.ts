import { definedOnly } from '../lib/values.ts';
import { readerConfiguration } from './config-map.ts';
import { deployment, type DeploymentInput } from './deployment.ts';
import { disruptionBudget } from './disruption-budget.ts';
import type { EffectiveApplication } from './effective.ts';
import { gpuRequest, withGpu } from './gpu.ts';
import {
  type Component,
  configMap,
  type RenderedObject,
  type RenderedApplication,
  type RolloutStrategy,
} from './model.ts';
import { exclusiveCache, modelCacheClaim, modelsSecurityContext, modelsVolume } from './models-volume.ts';
import { scaledObject } from './scaled-object.ts';

export interface ApplicationInput {
  readonly name: string;
  readonly component: Component;
  readonly application: EffectiveApplication;
  readonly gatewayName: string;
  readonly pod: Pick<DeploymentInput, 'defaultTag' | 'serviceAccountName' | 'imagePullSecrets'>;
  /** Whether the cluster has KEDA. */
  readonly kedaKnown: boolean;
  /** What `auto` means just now. */
  readonly rollout: RolloutStrategy;
}

export interface ApplicationResult {
  readonly objects: RenderedObject[];
  readonly rendered: RenderedApplication;
}

export function renderApplication(input: ApplicationInput): ApplicationResult {
  const { component, application, gatewayName } = input;
  const configuration = readerConfiguration(input.name, application.readerConfig, gatewayName);
  const volume = modelsVolume(component, application);
  const placement = withGpu(application.gpu, application);
  const scaled = application.scaling.enabled && input.kedaKnown;
  // While the application is suspended, the operator sets the number and the scaler is paused.
  const replicas = application.suspend ? 0 : scaled ? undefined : application.replicaCount;
  const podSecurityContext = modelsSecurityContext(application.podSecurityContext, volume);
  const values = { ...application, ...placement, ...definedOnly({ podSecurityContext }) };
  return {
    objects: [
      ...modelCacheClaim(component, application),
      configMap(component, configuration.yaml),
      deployment({
        component,
        configuration,
        values,
        replicas,
        strategy: STRATEGIES[application.rollout === 'auto' ? input.rollout : application.rollout],
        volumes: [{ name: 'dshm', emptyDir: { medium: 'Memory' } }, volume],
        volumeMounts: [
          { name: 'dshm', mountPath: '/dev/shm' },
          { name: volume.name, mountPath: '/code/models' },
        ],
        ...input.pod,
      }),
      ...disruptionBudget(component, application.disruption),
      ...(scaled ? [scaledObject(component, application, gatewayName)] : []),
    ],
    rendered: definedOnly({
      objectName: component.objectName,
      replicas,
      suspended: application.suspend,
      rollout: application.rollout,
      gpu: gpuRequest(application.gpu, application.resources),
      exclusiveCache: exclusiveCache(application),
      configHash: configuration.hash,
    }),
  };
}

const STRATEGIES = {
  /** The new pod first: needs room for one more. */
  surge: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
  /** One pod at a time, without room for more. */
  inPlace: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
  /** All old pods go before the first new one comes. */
  recreate: { type: 'Recreate' },
} as const;
