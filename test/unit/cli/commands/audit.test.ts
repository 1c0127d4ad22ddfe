import assert from 'node:assert/strict';
import { run } from '../../../../cli/commands/audit.ts';
import { checkout } from '../../../../packages/lib/checkout.ts';
import { withFakeApi } from '../../../support/kubernetes/fake-api.ts';
import { recordingIo } from '../../../support/people/recording-io.ts';

const PROJECT = 'inference-stack-fleet';

/** What is said of a cluster that has nothing, which KUBECONFIG names. */
async function summaryOf(args: (kubeconfig: string) => readonly string[]): Promise<string> {
  return withFakeApi({}, async (kubeconfig) => {
    const files = {
      'policy.json': '{}',
      [`${checkout}/Pulumi.yaml`]: `name: ${PROJECT}`,
      [`${checkout}/Pulumi.dev.yaml`]: `config: { ${PROJECT}:kubeContext: fake, ${PROJECT}:kubeconfig: ${kubeconfig} }`,
    };
    const io = recordingIo(files, { KUBECONFIG: kubeconfig });
    await run([...args(kubeconfig)], io);
    return io.stdout();
  });
}

describe('the last line of an audit', () => {
  it('says by which levels was judged, and how to choose others', async () => {
    assert.equal(
      await summaryOf(() => []),
      '0 objects, no findings, judged by the levels of production. ' +
        'Those of another stack, in its cluster: STACK=dev. In this cluster: ARGS="--stage dev".\n',
    );
  });

  it('offers no stack to whoever named a cluster, as a stack would ask its own', async () => {
    assert.equal(
      await summaryOf((kubeconfig) => ['--kubeconfig', kubeconfig]),
      '0 objects, no findings, judged by the levels of production. Those of development: --stage dev.\n',
    );
  });

  it('offers nothing to whoever has chosen', async () => {
    const development = '0 objects, no findings, judged by the levels of development.\n';
    assert.equal(await summaryOf(() => ['--stage', 'dev']), development);
    assert.equal(await summaryOf(() => ['--stack', 'dev']), development);
  });

  it('names the file that changed levels', async () => {
    assert.equal(
      await summaryOf(() => ['--stage', 'prod', '--config', 'policy.json']),
      '0 objects, no findings, judged by the levels of production, changed by policy.json.\n',
    );
  });
});
