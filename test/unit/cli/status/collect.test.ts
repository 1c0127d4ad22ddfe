import assert from 'node:assert/strict';
import { withCluster } from '../../../../cli/cluster-options.ts';
import { collectFleet } from '../../../../cli/status/collect.ts';
import type { FleetObjects } from '../../../../cli/status/report.ts';
import { listOf, withFakeApi, type Answers } from '../../../support/kubernetes/fake-api.ts';
import { recordingIo } from '../../../support/people/recording-io.ts';

const WEBHOOKS = '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations';

async function collect(answers: Answers): Promise<FleetObjects> {
  return withFakeApi(answers, (kubeconfig) => withCluster({ kubeconfig }, recordingIo(), collectFleet));
}

describe('reading a fleet', () => {
  it('tells what is not there from what may not be read', async () => {
    const pod = { metadata: { name: 'chat' } };
    const { pods, nodes, webhooks, catalogs, extensions, stacks } = await collect({
      '/api/v1/pods': listOf(pod),
      '/api/v1/nodes': 403,
      [WEBHOOKS]: 403,
    });
    assert.deepEqual(
      pods?.map(({ metadata }) => metadata.name),
      ['chat'],
    );
    assert.deepEqual([nodes, webhooks], [undefined, undefined]);
    assert.deepEqual([catalogs, extensions, stacks], [[], [], []]);
  });

  it('finds stacks of the earlier kind, and none where nobody may list it', async () => {
    const group = '/apis/models.titanml.co/v1beta1';
    const stack = { metadata: { name: 'chat', namespace: 'team-a' } };
    const kinds = async (orchestras: Answers[string]): Promise<string[] | undefined> => {
      const answers = { [`${group}/inferencestacks`]: listOf(stack), [`${group}/modelorchestras`]: orchestras };
      return (await collect(answers)).stacks?.map(({ kind }) => kind);
    };
    assert.deepEqual(await kinds(listOf(stack)), ['InferenceStack', 'ModelOrchestra']);
    assert.deepEqual(await kinds(403), ['InferenceStack']);
  });

  it('fails where the API server fails', async () => {
    await assert.rejects(collect({ '/api/v1/nodes': 500 }), /500/);
  });
});
