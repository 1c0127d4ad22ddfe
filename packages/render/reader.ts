import { definedOnly } from '../lib/values.ts';
import type { ApplicationInput, ApplicationResult } from './application.ts';
import { configurationFile, readerConfiguration } from './config-map.ts';
import { deployment, imageReference, type DeploymentInput } from './deployment.ts';
import { disruptionBudget } from './disruption-budget.ts';
import type { EffectiveReader } from './effective.ts';
import { externalPods } from './external.ts';
import { withGpu } from './gpu.ts';
import { configMap } from './model.ts';
import { modelCacheClaim, modelsSecurityContext, modelsVolume } from './models-volume.ts';
import { readerTrigger, scaledObject } from './scaled-object.ts';
import { sharedMemory, SHARED_MEMORY_MOUNT } from './shared-memory.ts';
import { withoutDefaultIds } from './user-ids.ts';

/** What the engine decides about the pods. */
export type ReaderPods = Pick<DeploymentInput, 'values' | 'defaultTag' | 'containerName' | 'sidecars'>;

/** An application that reads requests from a gateway of the kind takeoff, by itself or for an external engine. */
export function renderReader(input: ApplicationInput, application: EffectiveReader): ApplicationResult {
  const { component, gatewayName } = input;
  const configuration = readerConfiguration(input.name, application.readerConfig, gatewayName);
  const file = configurationFile(component, configuration);
  const volume = modelsVolume(component, application);
  const placement = withGpu(application.gpu, application);
  const security = modelsSecurityContext(application.podSecurityContext, volume);
  const podSecurityContext =
    input.assignsUserIds && security !== undefined
      ? withoutDefaultIds(security, application.podSecurityContext)
      : security;
  const values = { ...application, ...placement, ...definedOnly({ podSecurityContext }) };
  const pods: ReaderPods =
    application.engine === 'external'
      ? externalPods(component, values, file.volumeMounts)
      : { values, defaultTag: input.pod.defaultTag };
  return {
    objects: [
      ...modelCacheClaim(component, application),
      configMap(component, configuration.yaml),
      deployment({
        component,
        replicas: input.replicas,
        strategy: input.strategy,
        podAnnotations: file.podAnnotations,
        volumes: [...file.volumes, sharedMemory(application.shmSize), volume],
        volumeMounts: [...file.volumeMounts, SHARED_MEMORY_MOUNT, { name: volume.name, mountPath: '/code/models' }],
        ...input.pod,
        ...pods,
      }),
      ...disruptionBudget(component, application.disruption),
      ...(input.scaled
        ? [scaledObject(component, application, [readerTrigger(component, application, gatewayName)])]
        : []),
    ],
    rendered: {
      model: application.readerConfig.modelName,
      image: imageReference(pods.values.image, pods.defaultTag),
      clients: [application.readerConfig.consumerGroup],
      configHash: configuration.hash,
    },
  };
}
