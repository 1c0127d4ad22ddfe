import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkout } from '../../../../packages/lib/checkout.ts';
import { buildPack } from '../../../../policies/build/build.ts';
import { PulumiProject, type Outcome } from '../../../support/pulumi/pulumi-project.ts';

const PROGRAM = fileURLToPath(new URL('../pulumi/program', import.meta.url));
const COLLISION =
  'ClusterExtension inference-stack-operator-v2 (resolves to 2.1.0 of catalog inference-stack-catalog) and ' +
  'ClusterExtension by-hand (resolves to 2.2.0 of catalog inference-stack-catalog) both take major 2 of inference-stack-operator.';

/** The built folder at a place from which nothing of the checkout can be found, and neither a cluster. */
describe('the policy pack, built and copied elsewhere', function () {
  this.timeout(300_000);
  let directory: string;
  let pack: string;
  let project: PulumiProject;

  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'copied-pack-'));
    pack = join(directory, 'elsewhere', 'pack');
    await buildPack(join(directory, 'built'));
    cpSync(join(directory, 'built'), pack, { recursive: true });
    rmSync(join(directory, 'built'), { recursive: true });
    install(pack);
    project = new PulumiProject({ FLEET_TEST_KUBECONFIG: join(directory, 'no-kubeconfig') }, PROGRAM);
    await project.environment('prod', 'Pulumi.prod.yaml');
  });
  after(() => {
    project.remove();
    rmSync(directory, { recursive: true });
  });

  const preview = (env: NodeJS.ProcessEnv): Promise<Outcome> =>
    project.pulumi(['preview', '--stack', 'prod', '--policy-pack', pack], { PULUMI_STACK: 'prod', ...env });

  it('admits what the components declare, and says its version and what it could not read', async () => {
    const { code, output } = await preview({});
    assert.equal(code, 0, output);
    assert.match(output, /inference-stack-fleet@v\d/);
    assert.match(output, /No cluster was read: .*no such file/);
  });

  it('blocks fast-v2 beside stable-v2, naming both extensions and the versions they resolve to', async () => {
    const { code, output } = await preview({ FLEET_TEST_DUPLICATE: '1' });
    assert.notEqual(code, 0, output);
    assert.match(output, /\[mandatory\] \[severity: critical\] +one-operator-per-major/);
    assert.ok(output.includes(COLLISION), output);
  });
});

/** Provides what the package.json of a pack names and nothing else, as `npm install` would. */
function install(pack: string): void {
  const { dependencies } = JSON.parse(readFileSync(join(pack, 'package.json'), 'utf8')) as {
    dependencies: Readonly<Record<string, string>>;
  };
  for (const name of Object.keys(dependencies)) {
    const link = join(pack, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(checkout, 'node_modules', name), link);
  }
}
