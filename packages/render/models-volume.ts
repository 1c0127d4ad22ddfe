import { DELETION_POLICY_ANNOTATION } from '../api/constants.ts';
import { MODEL_CACHE_DEFAULTS } from '../api/defaults.ts';
import type { Application } from '../api/types.ts';
import { type Component, type RenderedObject, metaOf } from './model.ts';
import type { OpenObject } from '../lib/json.ts';
import { present } from '../lib/values.ts';

type ModelsValues = Pick<Application, 'modelsVolume' | 'modelCache'>;

/** Any group will do: the kubelet gives the volume to it and puts the container's user into it. */
const MODELS_GROUP = 1000;

/** The volume that models live in: the user's, the operator's claim, or memory. */
export function modelsVolume(
  component: Component,
  { modelsVolume, modelCache }: ModelsValues,
): OpenObject & { name: string } {
  if (modelCache !== undefined) {
    return { name: 'models', persistentVolumeClaim: { claimName: component.objectName } };
  }
  return { name: 'models', ...(modelsVolume ?? { emptyDir: { medium: 'Memory' } }) };
}

/**
 * Lets a container of any user write to a volume that the kubelet can hand over. Folders in memory are open anyway;
 * those of a node stay as their owner made them.
 */
export function modelsSecurityContext(given: OpenObject | undefined, volume: OpenObject): OpenObject | undefined {
  const handedOver = 'persistentVolumeClaim' in volume || 'ephemeral' in volume || 'csi' in volume;
  if (!handedOver || given?.['fsGroup'] !== undefined) return given;
  return { fsGroup: MODELS_GROUP, fsGroupChangePolicy: 'OnRootMismatch', ...given };
}

const EXCLUSIVE = ['ReadWriteOnce', 'ReadWriteOncePod'] as const;

/** The access mode of the operator's claim, if only one node or one pod can mount it at a time. */
export function exclusiveCache({ modelCache }: ModelsValues): (typeof EXCLUSIVE)[number] | undefined {
  if (modelCache === undefined) return undefined;
  const { accessMode } = { ...MODEL_CACHE_DEFAULTS, ...modelCache };
  return EXCLUSIVE.find((mode) => mode === accessMode);
}

export function modelCacheClaim(component: Component, { modelCache }: ModelsValues): RenderedObject[] {
  if (modelCache === undefined) return [];
  const { size, storageClassName, accessMode, deletionPolicy } = { ...MODEL_CACHE_DEFAULTS, ...modelCache };
  return [
    {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: metaOf(component, { [DELETION_POLICY_ANNOTATION]: deletionPolicy }),
      spec: present({
        accessModes: [accessMode],
        storageClassName,
        resources: { requests: { storage: size } },
      }),
    },
  ];
}
