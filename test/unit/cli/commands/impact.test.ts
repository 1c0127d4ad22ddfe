import assert from 'node:assert/strict';
import { main } from '../../../../cli/main.ts';
import { listOf, withFakeApi, type Answers } from '../../../support/kubernetes/fake-api.ts';
import { recordingIo } from '../../../support/people/recording-io.ts';

const EXTENSIONS = '/apis/olm.operatorframework.io/v1/clusterextensions';

/** An operator as OLM reports it. */
function installed(version: string): object {
  return {
    metadata: {
      name: 'inference-stack-operator-v3',
      labels: { 'app.kubernetes.io/managed-by': 'inference-stack-fleet' },
    },
    spec: { source: { catalog: { packageName: 'inference-stack-operator' } } },
    status: { install: { bundle: { name: `inference-stack-operator.v${version}`, version } } },
  };
}

/** Runs `fleet impact` for an environment of releases whose operator the cluster has in this version. */
async function impact(
  answers: Answers,
  ...more: readonly string[]
): Promise<{ code: number; out: string; err: string }> {
  return withFakeApi(answers, async (kubeconfig) => {
    const settings = {
      kubeconfig,
      kubeContext: 'fake',
      catalog: { source: 'checkout', template: 'catalog/operator_catalog_dev.yaml' },
      images: { repository: 'registry.example/fleet', base: 'registry.example/node:24' },
      operators: [{ major: 3, channel: 'fast' }],
    };
    const config = Object.fromEntries(
      Object.entries(settings).map(([key, value]) => [`inference-stack-fleet:${key}`, value]),
    );
    const io = recordingIo({ '/prod.yaml': JSON.stringify({ config }) });
    const code = await main(['impact', '-e', 'prod', '--config', '/prod.yaml', ...more], io);
    return { code, out: io.stdout(), err: io.stderr() };
  });
}

const WEBHOOKS = '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations';

describe('fleet impact', () => {
  it('says that nothing is affected where no operator is there', async () => {
    const { code, out } = await impact({ [WEBHOOKS]: listOf(), [EXTENSIONS]: listOf() });
    assert.deepEqual(
      { code, out },
      { code: 0, out: 'No installed operator gets another version, so no pods are replaced.\n' },
    );
  });

  it('prints JSON for programs', async () => {
    const { code, out } = await impact({ [WEBHOOKS]: listOf(), [EXTENSIONS]: listOf() }, '-o', 'json');
    assert.deepEqual({ code, out: JSON.parse(out) as unknown }, { code: 0, out: { operators: [], platform: [] } });
  });

  it('ends with 1 and the reason where the cluster does not answer', async () => {
    const { code, err } = await impact({ [EXTENSIONS]: 500 });
    assert.equal(code, 1);
    assert.match(err, /kubeContext: cannot be reached/);
  });

  it('asks for the version that the operator would get', async () => {
    const { code, out } = await impact({ [WEBHOOKS]: listOf(), [EXTENSIONS]: listOf(installed('3.0.0')) });
    // The operator of this checkout may not have been built; the cluster has no stacks.
    assert.match(
      out,
      /^Impact of v3, 3\.0\.0 -> 3\.1\.0: (0 InferenceStacks: 0 unchanged|not known\. controller\/dist)/,
    );
    assert.equal(code, out.includes('not known') ? 1 : 0);
  });
});
