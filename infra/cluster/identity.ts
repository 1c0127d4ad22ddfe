import type { Identity } from '../../components/guards/writers.ts';
import type { Client } from '../../packages/kube/client/client.ts';
import type { KubernetesObject, ResourceType } from '../../packages/kube/object.ts';

const REVIEWS: ResourceType = {
  group: 'authentication.k8s.io',
  version: 'v1',
  kind: 'SelfSubjectReview',
  plural: 'selfsubjectreviews',
  namespaced: false,
};

interface Review {
  readonly status?: { readonly userInfo?: { readonly username?: string; readonly groups?: readonly string[] } };
}

/** Who the API server takes the client for, impersonation included. The question stores nothing. */
export async function readIdentity(client: Pick<Client, 'create'>): Promise<Identity> {
  const question: KubernetesObject = {
    apiVersion: 'authentication.k8s.io/v1',
    kind: REVIEWS.kind,
    metadata: { name: '' },
  };
  const { status } = (await client.create(REVIEWS, question)) as Review;
  const { username = '', groups = [] } = status?.userInfo ?? {};
  if (username === '') throw new Error('the API server does not say who asked it');
  return { username, groups };
}
