import type { FrozenDefaults } from '../api/types.ts';
import type { OpenObject } from '../lib/json.ts';
import { definedOnly, isEmpty } from '../lib/values.ts';
import type { DeploymentInput } from './deployment.ts';
import { isReader, type EffectiveApplication } from './effective.ts';
import { renderOpen } from './engines/open.ts';
import { gpuRequest } from './gpu.ts';
import type { Component, RenderedApplication, RenderedObject, RolloutStrategy } from './model.ts';
import { exclusiveCache } from './models-volume.ts';
import { renderReader } from './reader.ts';

/** What every application is rendered from, whatever its engine. */
export interface ApplicationInput {
  readonly name: string;
  readonly component: Component;
  readonly gatewayName: string;
  readonly pod: Pick<DeploymentInput, 'defaultTag' | 'serviceAccountName' | 'imagePullSecrets'>;
  readonly defaults: Pick<FrozenDefaults, 'revisions'>;
  /** Whether the Prometheus operator is to read the metrics. */
  readonly monitored: boolean;
  /** Whether the platform gives pods their user and group ids. */
  readonly assignsUserIds: boolean;
  /** Whether KEDA chooses the number of pods. */
  readonly scaled: boolean;
  /** Absent when KEDA sets it. */
  readonly replicas: number | undefined;
  readonly strategy: OpenObject;
}

/** What the engine decides. */
export interface ApplicationResult {
  readonly objects: RenderedObject[];
  readonly rendered: Pick<RenderedApplication, 'model' | 'image' | 'clients' | 'configHash' | 'revision'>;
}

export interface ApplicationContext {
  /** Whether the cluster has KEDA. */
  readonly kedaKnown: boolean;
  /** What `auto` means just now. */
  readonly rollout: RolloutStrategy;
}

export function renderApplication(
  input: Omit<ApplicationInput, 'scaled' | 'replicas' | 'strategy'>,
  application: EffectiveApplication,
  { kedaKnown, rollout }: ApplicationContext,
): { readonly objects: RenderedObject[]; readonly rendered: RenderedApplication } {
  const scaled = application.scaling.enabled && kedaKnown && hasTriggers(application);
  // While the application is suspended, the operator sets the number and the scaler is paused.
  const replicas = application.suspend ? 0 : scaled ? undefined : application.replicaCount;
  const strategy = STRATEGIES[application.rollout === 'auto' ? rollout : application.rollout];
  const all = { ...input, scaled, replicas, strategy };
  const { objects, rendered } = isReader(application) ? renderReader(all, application) : renderOpen(all, application);
  return {
    objects,
    rendered: definedOnly({
      objectName: input.component.objectName,
      replicas,
      suspended: application.suspend,
      rollout: application.rollout,
      gpu: gpuRequest(application.gpu, application.resources),
      exclusiveCache: exclusiveCache(application),
      ...rendered,
    }),
  };
}

/** KEDA refuses what has none. For readers, there is one that asks the gateway. */
function hasTriggers(application: EffectiveApplication): boolean {
  return isReader(application) || !isEmpty(application.scaling.spec.triggers);
}

const STRATEGIES = {
  /** The new pod first: needs room for one more. */
  surge: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
  /** One pod at a time, without room for more. */
  inPlace: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
  /** All old pods go before the first new one comes. */
  recreate: { type: 'Recreate' },
} as const;
