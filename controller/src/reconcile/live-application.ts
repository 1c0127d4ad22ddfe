import { GATEWAY } from '../api/names.ts';
import type { InferenceStack } from '../api/types.ts';
import type { KubernetesObject, RenderedApplication, RenderResult } from '../render/model.ts';
import { applicationComponent, COMPONENT_LABEL } from '../render/names.ts';
import { objectKey } from '../runtime/object.ts';
import type { OwnedObject } from '../runtime/owned.ts';
import type { DeploymentView } from './deployment-view.ts';
import type { PodView } from './pod-view.ts';
import type { World } from './state.ts';

/** An application as it is to be, beside what there is of it. */
export interface LiveApplication {
  readonly name: string;
  readonly rendered: RenderedApplication;
  readonly deployment: KubernetesObject | undefined;
  readonly live: OwnedObject<DeploymentView> | undefined;
  readonly pods: readonly PodView[];
}

export function liveApplications(stack: InferenceStack, world: World, result: RenderResult): LiveApplication[] {
  const deployments = new Map(
    result.objects.filter(({ kind }) => kind === 'Deployment').map((object) => [object.metadata.name, object]),
  );
  const pods = podsByComponent(stack, world);
  return Object.entries(result.applications).map(([name, rendered]) => {
    const deployment = deployments.get(rendered.objectName);
    return {
      name,
      rendered,
      deployment,
      live: deployment && world.owned.get('Deployment', objectKey(deployment.metadata)),
      pods: pods.get(applicationComponent(name)) ?? [],
    };
  });
}

export function gatewayDeployment({ objects }: RenderResult): KubernetesObject | undefined {
  return objects.find(({ kind, metadata }) => kind === 'Deployment' && metadata.labels[COMPONENT_LABEL] === GATEWAY);
}

export function podSpecOf(deployment: KubernetesObject | undefined): unknown {
  const { template } = (deployment?.['spec'] ?? {}) as { template?: { spec?: unknown } };
  return template?.spec;
}

export function podsByComponent({ metadata }: InferenceStack, { pods }: World): ReadonlyMap<string, PodView[]> {
  return Map.groupBy(pods.byIndex('stack', objectKey(metadata)), ({ component = '' }) => component);
}
