import { ENGINE_ANNOTATION } from '../../../packages/api/constants.ts';
import type { KubernetesObject } from '../../../packages/kube/object.ts';
import { deploymentView, type DeploymentView } from '../../../packages/kube/pods/deployment-view.ts';
import type { KeptRevision } from '../../../packages/render/model.ts';
import { VERSION_LABEL } from '../../../packages/render/names.ts';

/** What is kept of a stack's Deployment: how its pods are, and what it was made from. */
export interface LiveDeployment extends DeploymentView {
  /** The version of the model runtime. */
  readonly runtimeVersion?: string | undefined;
  /** The table, of an engine or of the gateway Onwards, and its revision. */
  readonly table?: KeptRevision | undefined;
}

export function liveDeployment(object: KubernetesObject): LiveDeployment | undefined {
  const view = deploymentView(object);
  if (view === undefined) return undefined;
  const { labels, annotations } = object.metadata;
  return { ...view, runtimeVersion: labels?.[VERSION_LABEL], table: tableOf(annotations?.[ENGINE_ANNOTATION]) };
}

const TABLE = /^([a-z]{1,20})\/([1-9][0-9]{0,3})$/;

/** Anybody may write an annotation: what is not a table's name and a revision says nothing. */
function tableOf(annotation = ''): KeptRevision | undefined {
  const [, table, revision] = TABLE.exec(annotation) ?? [];
  return table === undefined ? undefined : { table, revision: Number(revision) };
}
