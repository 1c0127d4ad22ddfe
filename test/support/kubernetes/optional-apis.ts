import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import yaml from 'js-yaml';
import { shareDirectory } from '../../../toolchain/places.ts';
import type { KubernetesObject } from '../../../packages/kube/object.ts';

/** Definitions of kinds that a stack uses if the cluster has them, as their projects release them; see programs.yaml. */
const FILES = {
  scaledObject: 'keda-v2.19.0-scaledobjects.yaml',
  serviceMonitor: 'prometheus-operator-v0.85.0-servicemonitors.yaml',
} as const;

export async function optionalCrd(name: keyof typeof FILES): Promise<KubernetesObject> {
  const path = join(shareDirectory, FILES[name]);
  try {
    return yaml.load(await readFile(path, 'utf8')) as KubernetesObject;
  } catch (error) {
    throw new Error(`${path} cannot be read: make test-integration provides it`, { cause: error });
  }
}
