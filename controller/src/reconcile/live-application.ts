import { GATEWAY } from '../../../packages/api/names.ts';
import type { InferenceStack } from '../../../packages/api/types.ts';
import type { RenderedObject, RenderedApplication, RenderResult } from '../../../packages/render/model.ts';
import { applicationComponent, COMPONENT_LABEL } from '../../../packages/render/names.ts';
import { objectKey } from '../../../packages/kube/object.ts';
import type { OwnedObject } from '../../../packages/kube/apply/owned.ts';
import type { DeploymentView } from '../../../packages/kube/pods/deployment-view.ts';
import type { PodView } from './pod-view.ts';
import { podTemplateOf, type PodTemplate } from './rollout/pod-template.ts';
import type { World } from './state.ts';

/** The gateway or an application as it should be, and the pods that it has. */
export interface LiveComponent {
  readonly component: string;
  readonly template: PodTemplate;
  readonly pods: readonly PodView[];
}

export interface LiveApplication extends LiveComponent {
  readonly name: string;
  readonly namespace: string;
  readonly rendered: RenderedApplication;
  readonly deployment: RenderedObject;
  readonly live: OwnedObject<DeploymentView> | undefined;
  /** Pods that are wanted, whoever sets their number. */
  readonly replicas: number;
}

export interface LiveStack {
  readonly gateway: LiveComponent;
  readonly applications: readonly LiveApplication[];
}

export function liveStack(stack: InferenceStack, world: World, result: RenderResult): LiveStack {
  const deployments = new Map(
    result.objects
      .filter(({ kind }) => kind === 'Deployment')
      .map((object) => [object.metadata.labels[COMPONENT_LABEL] ?? '', object]),
  );
  const pods = podsByComponent(stack, world);
  const componentOf = (component: string): LiveComponent => ({
    component,
    template: podTemplateOf(deployments.get(component)),
    pods: pods.get(component) ?? [],
  });
  const applications = Object.entries(result.applications).flatMap(([name, rendered]) => {
    const component = applicationComponent(name);
    const deployment = deployments.get(component);
    if (deployment === undefined) return [];
    const live = world.owned.get('Deployment', objectKey(deployment.metadata));
    const replicas = rendered.replicas ?? live?.details?.replicas ?? 1;
    const { namespace } = deployment.metadata;
    return { ...componentOf(component), name, namespace, rendered, deployment, live, replicas };
  });
  return { gateway: componentOf(GATEWAY), applications };
}

/** Pods that have a node and are not leaving. */
export function placedPods({ pods }: LiveComponent): PodView[] {
  return pods.filter(({ node, leaving }) => node !== undefined && !leaving);
}

export function gatewayDeployment({ objects }: RenderResult): RenderedObject | undefined {
  return objects.find(({ kind, metadata }) => kind === 'Deployment' && metadata.labels[COMPONENT_LABEL] === GATEWAY);
}

export function podsByComponent({ metadata }: InferenceStack, { pods }: World): ReadonlyMap<string, PodView[]> {
  return Map.groupBy(pods.byIndex('stack', objectKey(metadata)), ({ component = '' }) => component);
}
