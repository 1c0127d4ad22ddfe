import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkout } from '../../../../packages/lib/checkout.ts';
import { CommandError, run } from '../../../../packages/lib/command.ts';
import { localOlm } from '../../../support/olm/local-olm.ts';
import { environmentConfig, type Settings } from '../../../support/pulumi/environment-config.ts';

/** `make policy` in a pull request from a fork: a new stack, and neither a cluster nor credentials. */
describe('make policy with no cluster at all', function () {
  this.timeout(180_000);
  let directory: string;
  before(() => (directory = mkdtempSync(join(tmpdir(), 'policy-'))));
  after(() => rmSync(directory, { recursive: true }));

  const production = (): Settings => ({ ...localOlm(), certificates: 'cert-manager' });

  /** Runs on the committed file of an environment, or on a copy with some settings changed; neither is Pulumi's to write into. */
  async function policy(environment: string, changes?: Settings): Promise<string> {
    const committed = join(checkout, `Pulumi.${environment}.yaml`);
    const config = changes === undefined ? committed : join(directory, `Pulumi.${environment}.yaml`);
    if (changes !== undefined) writeFileSync(config, environmentConfig(`Pulumi.${environment}.yaml`, changes));
    const before = readFileSync(config, 'utf8');
    const env = {
      ...process.env,
      KUBECONFIG: join(directory, 'no-kubeconfig'),
      CLUSTER_STATE: join(directory, 'no-cluster'),
      // Whoever runs this test may be logged in somewhere.
      PULUMI_CREDENTIALS_PATH: directory,
      PULUMI_ACCESS_TOKEN: '',
      PULUMI_BACKEND_URL: '',
      PULUMI_CONFIG_PASSPHRASE: 'of a team',
    };
    const own = changes === undefined ? [] : [`CONFIG=${config}`];
    const args = ['policy', `ENV=${environment}`, ...own, 'ARGS=--color never --non-interactive'];
    try {
      const output = await run('make', args, { cwd: checkout, env });
      assert.match(output, /known-in-preview[\s\S]*No cluster was read: .*no such file/);
      return output;
    } finally {
      assert.equal(readFileSync(config, 'utf8'), before);
    }
  }

  it('admits the dev environment as committed', async () => {
    assert.doesNotMatch(await policy('dev'), /\[mandatory\]/);
  });

  it('admits production as committed, which has no operators before the first release', async () => {
    const output = await policy('prod', { olm: production() });
    assert.doesNotMatch(output, /\[mandatory\]/);
    assert.ok(output.includes('No operators are listed, so neither operators nor a catalog are installed.'), output);
  });

  it('refuses in production what development may do', async () => {
    const dev = { name: 'inference-stack-catalog', source: 'checkout', template: 'catalog/operator_catalog_dev.yaml' };
    const changes = {
      olm: production(),
      catalog: dev,
      images: { repository: 'docker.io/tytn', base: `docker.io/library/node@sha256:${'a'.repeat(64)}` },
      operators: [{ major: 4, channel: 'fast' }],
    };
    await assert.rejects(policy('prod', changes), (error: unknown) => {
      assert.ok(error instanceof CommandError);
      for (const message of [
        'ClusterExtension inference-stack-operator-v4 should subscribe to a stable channel, not fast-v4.',
        'ClusterCatalog inference-stack-catalog should not be in a production cluster: it serves versions under development.',
      ]) {
        assert.ok(error.output.includes(message), error.output);
      }
      return true;
    });
  });
});
