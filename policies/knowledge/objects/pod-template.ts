import { known, type ObjectReader } from './object-reader.ts';

/** Where each kind of workload keeps its pod template. */
const TEMPLATES: Readonly<Record<string, readonly string[]>> = {
  Pod: [],
  PodTemplate: ['template'],
  Deployment: ['spec', 'template'],
  StatefulSet: ['spec', 'template'],
  DaemonSet: ['spec', 'template'],
  ReplicaSet: ['spec', 'template'],
  ReplicationController: ['spec', 'template'],
  Job: ['spec', 'template'],
  CronJob: ['spec', 'jobTemplate', 'spec', 'template'],
};

const GROUPS: readonly string[] = ['', 'apps', 'batch'];

/** A container, and whether it keeps running after the pod has started. */
export interface Container {
  readonly name: string;
  readonly object: ObjectReader;
  readonly isInit: boolean;
}

/** The spec of the pods that an object makes; `undefined` for an object that makes none. */
export function podSpecOf(object: ObjectReader): ObjectReader | undefined {
  const template = GROUPS.includes(object.group) ? TEMPLATES[object.kind] : undefined;
  return template === undefined ? undefined : object.child(...template, 'spec');
}

/** The lists of containers. They are read one by one: if one is unknown, the others are still judged. */
export const CONTAINER_LISTS = ['initContainers', 'containers'] as const;

export function containersOf(podSpec: ObjectReader, list: (typeof CONTAINER_LISTS)[number]): Container[] {
  return podSpec.list(list).map((object) => ({
    object,
    isInit: list === 'initContainers',
    name: known(() => object.text('name')) ?? object.path,
  }));
}
