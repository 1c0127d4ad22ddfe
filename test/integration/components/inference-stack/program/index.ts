import * as k8s from '@pulumi/kubernetes';
import { readFileSync } from 'node:fs';
import type { InferenceStackArgs } from '../../../../../components/inference-stack/args.ts';
import { InferenceStack } from '../../../../../components/inference-stack/inference-stack.ts';

/* Stacks as a test wants them, and for each a ConfigMap that has its address and comes after it. */

const provider = new k8s.Provider('cluster', {
  kubeconfig: readFileSync(process.env['FLEET_TEST_KUBECONFIG'] ?? '', 'utf8'),
  enableServerSideApply: true,
});
const declared = JSON.parse(process.env['FLEET_TEST_STACKS'] ?? '{}') as Record<string, InferenceStackArgs>;

export const stacks = Object.fromEntries(
  Object.entries(declared).map(([name, args]) => {
    const { namespace, ready, url, addresses } = new InferenceStack(name, args, { provider });
    const metadata = { name: `${name}-address`, namespace };
    new k8s.core.v1.ConfigMap(name, { metadata, data: { url } }, { provider });
    return [name, { ready, url, addresses }];
  }),
);
