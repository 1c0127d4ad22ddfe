import assert from 'node:assert/strict';
import { main } from '../../../../cli/main.ts';
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
    assert.equal(await main(['audit', ...args(kubeconfig)], io), 0, io.stderr());
    return io.stdout();
  });
}

describe('the last line of an audit', () => {
  it('says by which levels was judged, and how to choose others', async () => {
    assert.equal(
      await summaryOf(() => []),
      '0 objects, no findings, judged by the levels of production. ' +
        'For another environment and its cluster: ENV=dev. For the levels of development in this cluster: ARGS="--stage dev".\n',
    );
  });

  it('offers no environment to whoever named a cluster, as an environment would ask its own', async () => {
    assert.equal(
      await summaryOf((kubeconfig) => ['--kubeconfig', kubeconfig]),
      '0 objects, no findings, judged by the levels of production. For the levels of development: --stage dev.\n',
    );
  });

  it('offers nothing to whoever has chosen', async () => {
    const development = '0 objects, no findings, judged by the levels of development.\n';
    assert.equal(await summaryOf(() => ['--stage', 'dev']), development);
    assert.equal(await summaryOf(() => ['--environment', 'dev']), development);
  });

  it('names the file that changed levels', async () => {
    assert.equal(
      await summaryOf(() => ['--stage', 'prod', '--config', 'policy.json']),
      '0 objects, no findings, judged by the levels of production, changed by policy.json.\n',
    );
  });
});
