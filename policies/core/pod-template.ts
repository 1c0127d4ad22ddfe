import type { ObjectReader } from './object-reader.ts';

/** Where each kind of workload keeps its pod template. */
const TEMPLATES: Readonly<Record<string, readonly string[]>> = {
  Pod: [],
  Deployment: ['spec', 'template'],
  StatefulSet: ['spec', 'template'],
  DaemonSet: ['spec', 'template'],
  ReplicaSet: ['spec', 'template'],
  ReplicationController: ['spec', 'template'],
  Job: ['spec', 'template'],
  CronJob: ['spec', 'jobTemplate', 'spec', 'template'],
};

const GROUPS: readonly string[] = ['', 'apps', 'batch'];

/** A container and whether it runs on after the pod has started. */
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

export function containersOf(podSpec: ObjectReader): Container[] {
  const named = (key: string, isInit: boolean): Container[] =>
    podSpec.list(key).map((object) => ({ object, isInit, name: object.text('name') ?? object.path }));
  return [...named('initContainers', true), ...named('containers', false)];
}
