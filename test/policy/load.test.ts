import assert from 'node:assert/strict';
import type { PolicyProviderResource } from '@pulumi/policy';
import type { Resource } from '../../policies/core/pulumi.ts';
import { factsLoader } from '../../policies/facts/load.ts';

function resourceOf(kubeconfig: unknown): Resource {
  const provider: PolicyProviderResource = {
    type: 'pulumi:providers:kubernetes',
    name: 'cluster',
    urn: 'urn:cluster',
    props: { kubeconfig },
  };
  const customTimeouts = { createSeconds: 0, updateSeconds: 0, deleteSeconds: 0 };
  const opts = { protect: false, ignoreChanges: [], aliases: [], additionalSecretOutputs: [], customTimeouts };
  return { type: 'kubernetes:core/v1:Namespace', name: 'n', urn: 'urn:n', props: {}, opts, provider };
}

async function reason(...resources: readonly Resource[]): Promise<string | undefined> {
  return (await factsLoader(['inference-stack-operator'], {})(resources)).noCluster;
}

describe('reading the cluster of a program', () => {
  it('says why there is none', async () => {
    assert.equal(await reason(), 'the program has no Kubernetes provider.');
    assert.match((await reason(resourceOf('/nowhere/kubeconfig'))) ?? '', /there is no such file/);
  });

  it('never shows a kubeconfig that is given as text', async () => {
    for (const text of ['apiVersion: v1\nusers: [{token: hush}]', '{"users":[{"token":"hush"}]}']) {
      assert.equal(await reason(resourceOf(text)), "the provider's kubeconfig is text, not a file.");
    }
  });
});
