import * as k8s from '@pulumi/kubernetes';
import { KubernetesObject } from '../../../../../components/kubernetes-object.ts';
import { ROLLED_OUT } from '../../../../../components/waits/rollout.ts';

/*
 * Two Deployments of one namespace, waited for as those of OLM are. Pulumi's provider watches a namespace once for all of them, so that what it
 * hears first about the second may be from before its update.
 */

const provider = new k8s.Provider('cluster', {
  kubeconfig: process.env['FLEET_TEST_KUBECONFIG'] ?? '',
  enableServerSideApply: true,
});
const nodeSelector = JSON.parse(process.env['FLEET_TEST_SELECTOR'] ?? '{}') as object;

for (const name of ['first', 'second']) {
  const labels = { app: name, 'app.kubernetes.io/component': 'waited-for' };
  new KubernetesObject(
    name,
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name, namespace: 'waits', annotations: { 'pulumi.com/waitFor': JSON.stringify(ROLLED_OUT) } },
      spec: {
        replicas: 1,
        selector: { matchLabels: { app: name } },
        template: {
          metadata: { labels },
          spec: { nodeSelector, containers: [{ name: 'main', image: 'example.com/main:1' }] },
        },
      },
    },
    { provider, customTimeouts: { create: '1m', update: process.env['FLEET_TEST_TIMEOUT'] ?? '1m' } },
  );
}
