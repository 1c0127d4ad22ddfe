import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  GROUP,
  INFERENCE_STACK,
  MODEL_ORCHESTRA,
  type ResourceNames,
  VERSIONS,
} from '../../../../packages/api/constants.ts';
import type { InferenceStackStatus } from '../../../../packages/api/types.ts';
import type { Client } from '../../../../packages/kube/client/client.ts';
import type { KubernetesObject } from '../../../../packages/kube/object.ts';
import { anyStack } from '../../../support/operator/arbitrary-schema.ts';
import { ControlPlane } from '../../../support/kubernetes/control-plane.ts';
import { createNamespace, installCrd, stackCrd, stackType } from '../../../support/operator/stack-api.ts';

const STATUS: InferenceStackStatus = {
  observedGeneration: 3,
  conditions: [
    {
      type: 'Ready',
      status: 'True',
      lastTransitionTime: '2026-01-01T00:00:00Z',
      reason: 'AllReady',
      message: 'All runs.',
    },
  ],
  operatorVersion: '2.1.0',
  claim: { major: 2, version: '2.1.0', operator: 'inference-stack-operator-v2', claimedAt: '2026-01-01T00:00:00Z' },
  defaults: { runtimeVersion: '0.22.0' },
  inventory: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'chat-inference-stack-llama' }],
  gateway: { replicas: 1, readyReplicas: 1, phase: 'Ready' },
  applications: {
    llama: { replicas: 2, readyReplicas: 1, gpus: 2, rollout: 'surge', rolloutReason: 'Two GPUs are free.' },
  },
  applicationsReady: '1/1',
  gpus: 2,
  url: 'http://chat-inference-stack-gateway.team-a.svc',
};

describe('a write through either version', function () {
  this.timeout(300_000);
  let plane: ControlPlane;
  let client: Client;
  before(async () => {
    plane = await ControlPlane.start();
    client = plane.client;
    await createNamespace(client, 'team-a');
    await installCrd(client, await stackCrd(INFERENCE_STACK));
    await installCrd(client, await stackCrd(MODEL_ORCHESTRA));
  });
  after(() => plane.stop());

  for (const names of [INFERENCE_STACK, MODEL_ORCHESTRA]) {
    for (const [written, other] of [VERSIONS, VERSIONS.toReversed()]) {
      it(`of ${names.kind} loses nothing: ${written} beside ${other}`, async () => {
        await fc.assert(
          fc.asyncProperty(anyStack, async (stack) => {
            await writesLoseNothing(names, written, other, stack as unknown as KubernetesObject);
          }),
          { numRuns: 15 },
        );
      });
    }
  }

  async function writesLoseNothing(
    names: ResourceNames,
    written: string,
    other: string,
    given: KubernetesObject,
  ): Promise<void> {
    const ref = { namespace: 'team-a', name: given.metadata.name };
    const as = (version: string, object: KubernetesObject): KubernetesObject => ({
      ...object,
      apiVersion: `${GROUP}/${version}`,
      kind: names.kind,
    });
    const through = stackType(names, written);
    const beside = stackType(names, other);
    const created = await client.create(beside, as(other, given));
    try {
      const expected = created['spec'];
      const before = await client.get(through, ref);
      assert.deepEqual(before['spec'], expected, 'read');

      const replaced = await client.update(through, {
        ...before,
        metadata: { ...before.metadata, labels: { put: 'yes' } },
      });
      assert.deepEqual(replaced['spec'], expected, 'PUT');

      await client.mergePatch(through, ref, { metadata: { labels: { patch: 'yes' } } });
      await client.apply(through, as(written, { ...given, metadata: { ...ref, labels: { apply: 'yes' } }, spec: {} }), {
        fieldManager: 'other',
        force: true,
      });
      const afterwards = await client.get(beside, ref);
      assert.deepEqual(afterwards['spec'], expected, 'PATCH and apply');

      await client.update(through, { ...afterwards, apiVersion: `${GROUP}/${written}`, status: STATUS }, 'status');
      const withStatus = await client.get(beside, ref);
      assert.deepEqual(withStatus['status'], STATUS, 'status');
      assert.deepEqual(withStatus['spec'], expected, 'spec after status');
    } finally {
      await client.delete(through, ref);
    }
  }
});
