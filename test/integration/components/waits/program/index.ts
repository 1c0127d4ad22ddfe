import * as k8s from '@pulumi/kubernetes';
import type * as pulumi from '@pulumi/pulumi';
import { ManifestResource } from '../../../../../components/manifest-resource.ts';
import { ROLLED_OUT } from '../../../../../components/waits/rollout.ts';

/*
 * Deployments of one namespace, waited for as those of OLM are. Pulumi's provider watches a namespace once for all of them. So one is changed before
 * the others, and what the provider hears first about those may be from before their update.
 */

const provider = new k8s.Provider('cluster', {
  kubeconfig: process.env['FLEET_TEST_KUBECONFIG'] ?? '',
  enableServerSideApply: true,
});
const nodeSelector = JSON.parse(process.env['FLEET_TEST_SELECTOR'] ?? '{}') as object;

function deployment(
  name: string,
  pod: object,
  labels: Record<string, string>,
  dependsOn: pulumi.Resource[],
): pulumi.Resource {
  return new ManifestResource(
    name,
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name, namespace: 'waits', labels, annotations: { 'pulumi.com/waitFor': JSON.stringify(ROLLED_OUT) } },
      spec: {
        replicas: 1,
        selector: { matchLabels: { app: name } },
        template: {
          metadata: { labels: { app: name, 'app.kubernetes.io/component': 'waited-for' } },
          spec: { ...pod, containers: [{ name: 'main', image: 'example.com/main:1' }] },
        },
      },
    },
    { provider, dependsOn, customTimeouts: { create: '1m', update: process.env['FLEET_TEST_TIMEOUT'] ?? '1m' } },
  );
}

const before = deployment('before', {}, { pool: String(Object.values(nodeSelector)) }, []);
for (const name of ['first', 'second', 'third', 'fourth']) deployment(name, { nodeSelector }, {}, [before]);
