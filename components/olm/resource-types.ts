import type { ResourceType } from '../../packages/kube/object.ts';

const OLM = { group: 'olm.operatorframework.io', version: 'v1', namespaced: false } as const;

export const EXTENSIONS: ResourceType = { ...OLM, kind: 'ClusterExtension', plural: 'clusterextensions' };
export const CATALOGS: ResourceType = { ...OLM, kind: 'ClusterCatalog', plural: 'clustercatalogs' };
export const WEBHOOKS: ResourceType = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'MutatingWebhookConfiguration',
  plural: 'mutatingwebhookconfigurations',
  namespaced: false,
};
export const DEFINITIONS: ResourceType = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
};
export const DEPLOYMENTS: ResourceType = {
  group: 'apps',
  version: 'v1',
  kind: 'Deployment',
  plural: 'deployments',
  namespaced: true,
};
export const CLUSTER_ROLES: ResourceType = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'ClusterRole',
  plural: 'clusterroles',
  namespaced: false,
};
