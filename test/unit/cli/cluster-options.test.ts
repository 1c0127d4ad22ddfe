import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withCluster, type ClusterChoice } from '../../../cli/cluster-options.ts';
import { describeEmbeddedCluster } from '../../../cluster/embedded-cluster.ts';
import { checkout } from '../../../packages/lib/checkout.ts';
import { withFakeApi } from '../../support/kubernetes/fake-api.ts';
import { recordingIo } from '../../support/people/recording-io.ts';

describe('the cluster that a command asks', () => {
  let directory: string;
  before(async () => (directory = await mkdtemp(join(tmpdir(), 'choice-'))));
  after(() => rm(directory, { recursive: true }));

  /** What the chosen cluster says of itself, on a machine that has an embedded cluster beside the one in KUBECONFIG. */
  async function ask(
    choice: ClusterChoice,
    { exported, running = true }: { exported: boolean | 'embedded'; running?: boolean },
  ): Promise<unknown> {
    return withFakeApi({ '/who': 'embedded' }, (embedded) =>
      withFakeApi({ '/who': 'exported' }, async (KUBECONFIG) => {
        await writeFile(join(directory, 'cluster.json'), '{}');
        const kubeconfig = exported === 'embedded' ? embedded : KUBECONFIG;
        const env = { CLUSTER_STATE: directory, ...(exported === false ? {} : { KUBECONFIG: kubeconfig }) };
        const described = describeEmbeddedCluster(env);
        return withCluster(choice, recordingIo(environmentFiles(KUBECONFIG), env), (client) => client.raw('/who'), {
          ...described,
          kubeconfig: embedded,
          context: 'fake',
          stopped: running ? undefined : described.stopped,
        });
      }),
    );
  }

  it('is asked for when there is none at all', async () => {
    const { HOME } = process.env;
    process.env['HOME'] = directory;
    try {
      const io = recordingIo({}, { CLUSTER_STATE: join(directory, 'never-started') });
      await assert.rejects(
        withCluster({}, io, (client) => client.raw('/who')),
        {
          message:
            'cluster: none is named, and the embedded one was never started. ' +
            'Start it with `make up`, or name another with --environment, KUBECONFIG or --kubeconfig.',
        },
      );
    } finally {
      process.env['HOME'] = HOME;
    }
  });

  it('is that of the pod in a pod', async () => {
    const env = { CLUSTER_STATE: join(directory, 'never-started'), KUBERNETES_SERVICE_HOST: '10.96.0.1' };
    // This is no pod, so the account is missing that it would have.
    await assert.rejects(
      withCluster({}, recordingIo({}, env), (client) => client.raw('/who')),
      /serviceaccount/,
    );
  });

  it('is the embedded one when nobody named another', async () => {
    assert.equal(await ask({}, { exported: false }), 'embedded');
  });

  it('is no other one when the embedded one is stopped', async () => {
    const stopped = { message: 'embedded cluster: fleet: is stopped. Start it with: make cluster-up' };
    await assert.rejects(ask({}, { exported: false, running: false }), stopped);
    await assert.rejects(ask({}, { exported: 'embedded', running: false }), stopped);
    assert.equal(await ask({}, { exported: true, running: false }), 'exported');
  });

  it('is that of KUBECONFIG when it is set', async () => {
    assert.equal(await ask({}, { exported: true }), 'exported');
    assert.equal(await ask({ context: 'fake' }, { exported: true }), 'exported');
  });

  it('is that of the named file before any other', async () => {
    await withFakeApi({ '/who': 'named' }, async (kubeconfig) => {
      assert.equal(await ask({ kubeconfig }, { exported: true }), 'named');
      assert.equal(await ask({ kubeconfig }, { exported: false }), 'named');
    });
  });

  it('is that of the named environment before any other', async () => {
    assert.equal(await ask({ environment: 'dev' }, { exported: true }), 'embedded');
    assert.equal(await ask({ environment: 'prod' }, { exported: false }), 'exported');
    const stopped = { message: 'embedded cluster: fleet: is stopped. Start it with: make cluster-up' };
    await assert.rejects(ask({ environment: 'dev' }, { exported: true, running: false }), stopped);
  });

  it('is none when the named environment does not exist or names none', async () => {
    await assert.rejects(ask({ environment: 'nope' }, { exported: true }), {
      message:
        'Pulumi.nope.yaml: there is no such environment. ' +
        'Environments of this checkout: dev, empty, prod. Choose one with ENV=, or copy the file of one.',
    });
    await assert.rejects(ask({ environment: 'empty' }, { exported: true }), {
      message: "Pulumi.empty.yaml: names no kubeContext. Set it to the context of the environment's cluster.",
    });
    await assert.rejects(ask({ environment: 'prod', context: 'fake' }, { exported: true }), {
      message: '--environment: names a cluster already. Leave out --kubeconfig and --context, or --environment.',
    });
  });

  it('is not the embedded one when a context is named', async () => {
    await assert.rejects(
      ask({ context: 'no-such-context' }, { exported: false }),
      /^ProblemsError: kubeconfig .*\.kube\/config: /,
    );
  });
});

/** A checkout with an environment of the embedded cluster, one of another, and one that says nothing. */
function environmentFiles(kubeconfig: string): Record<string, string> {
  const project = 'inference-stack-fleet';
  return {
    [`${checkout}/Pulumi.yaml`]: 'name: inference-stack-fleet',
    [`${checkout}/Pulumi.dev.yaml`]: `config: { ${project}:cluster: embedded }`,
    [`${checkout}/Pulumi.prod.yaml`]: `config: { ${project}:kubeContext: fake, ${project}:kubeconfig: ${kubeconfig} }`,
    [`${checkout}/Pulumi.empty.yaml`]: 'config: {}',
  };
}
