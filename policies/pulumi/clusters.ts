import type { PolicyResource } from '@pulumi/policy';
import { known, ObjectReader } from '../knowledge/objects/object-reader.ts';

/** What both of Pulumi's ways of handing over a resource have in common. */
export type Resource = Pick<PolicyResource, 'type' | 'urn' | 'name' | 'props' | 'opts' | 'provider' | 'parent'>;

/** The cluster that a provider talks to; `isKnown` is false if that is known only after the update. */
export interface Target {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly isKnown: boolean;
}

const PROVIDER = 'pulumi:providers:kubernetes';

/** The cluster of the first resource that is in one. */
export function targetOf(resources: readonly Resource[]): Target | undefined {
  const provider = resources.find(isInCluster)?.provider;
  if (provider === undefined) return undefined;
  const props = new ObjectReader(provider.props);
  const target = known(() => {
    const [kubeconfig = '', context = ''] = ['kubeconfig', 'context'].map((key) => props.text(key));
    return { ...(kubeconfig === '' ? {} : { kubeconfig }), ...(context === '' ? {} : { context }) };
  });
  return { ...target, isKnown: target !== undefined };
}

/**
 * The resources of each cluster that a program talks to, because a fleet is in one cluster. A resource without one,
 * such as a component, belongs to the clusters of its children, and to all clusters if it has no children in one.
 */
export function byCluster(resources: readonly Resource[]): readonly (readonly Resource[])[] {
  const clusters = [...Map.groupBy(resources.filter(isInCluster), clusterKey).values()];
  if (clusters.length < 2) return [resources];
  const ancestors = clusters.map((members) => new Set(members.flatMap(ancestorsOf)));
  const elsewhere = (urn: string): boolean => ancestors.some((urns) => urns.has(urn));
  return ancestors.map((urns, index) =>
    resources.filter((each) =>
      isInCluster(each) ? clusters[index]?.includes(each) : urns.has(each.urn) || !elsewhere(each.urn),
    ),
  );
}

function isInCluster({ provider }: Resource): boolean {
  return provider?.type === PROVIDER;
}

/** Providers with the same settings talk to the same cluster; unknown settings may be any cluster. */
function clusterKey(resource: Resource): string {
  const target = targetOf([resource]);
  return target?.isKnown === true ? JSON.stringify(target) : (resource.provider?.urn ?? '');
}

function ancestorsOf(resource: Resource): string[] {
  const { parent } = resource;
  return parent === undefined ? [] : [parent.urn, ...ancestorsOf(parent)];
}
