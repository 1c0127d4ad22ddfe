import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run as previewComment } from '../../../cli/commands/preview-comment.ts';
import { CATALOGS, DEFINITIONS, EXTENSIONS } from '../../../components/olm/resource-types.ts';
import { ControlPlane } from '../../support/control-plane.ts';
import { eventually } from '../../support/eventually.ts';
import { minimalCrd } from '../../support/minimal-crd.ts';
import { findProgram } from '../../support/program.ts';
import { recordingIo } from '../../support/recording-io.ts';

const PROGRAM = fileURLToPath(new URL('program', import.meta.url));
const PACK = fileURLToPath(new URL('../../../policies', import.meta.url));
const COLLISION =
  'ClusterExtension inference-stack-operator-v2 (resolves to 2.1.0 of catalog inference-stack-catalog) and ' +
  'ClusterExtension by-hand (resolves to 2.2.0 of catalog inference-stack-catalog) both take major 2 of inference-stack-operator.';

interface Outcome {
  readonly code: number;
  readonly output: string;
}

describe('the policy pack with the real Pulumi', function () {
  this.timeout(600_000);
  let plane: ControlPlane;
  let directory: string;
  let env: NodeJS.ProcessEnv;

  /** Runs pulumi in a project of its own, whose program is the one in this folder. */
  const pulumi = (args: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<Outcome> => {
    return new Promise((resolve) => {
      const options = { cwd: directory, env: { ...env, ...more }, maxBuffer: 64 * 1024 * 1024 };
      execFile(findProgram('pulumi'), [...args, '--non-interactive'], options, (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
        resolve({ code, output: `${stdout}${stderr}` });
      });
    });
  };
  const preview = (more: NodeJS.ProcessEnv, ...args: readonly string[]): Promise<Outcome> =>
    pulumi(['preview', '--stack', 'prod', '--color', 'never', ...args], more);

  before(async () => {
    plane = await ControlPlane.start();
    for (const type of [EXTENSIONS, CATALOGS]) {
      await plane.client.create(DEFINITIONS, minimalCrd(type));
      await eventually(() => plane.client.listAll(type));
    }
    directory = await mkdtemp(join(tmpdir(), 'policies-'));
    await writeFile(
      join(directory, 'Pulumi.yaml'),
      JSON.stringify({
        name: 'policies-e2e',
        main: PROGRAM,
        runtime: { name: 'nodejs', options: { typescript: false } },
      }),
    );
    await writeFile(join(directory, 'package.json'), JSON.stringify({ name: 'policies-e2e', version: '0.1.0' }));
    env = {
      ...process.env,
      PULUMI_BACKEND_URL: `file://${directory}`,
      PULUMI_HOME: join(directory, 'home'),
      PULUMI_CONFIG_PASSPHRASE: 'test',
      PULUMI_SKIP_UPDATE_CHECK: 'true',
      PULUMI_DEBUG_COMMANDS: 'true',
      FLEET_TEST_KUBECONFIG: await plane.kubeconfig(),
    };
    const created = await pulumi(['stack', 'init', 'prod']);
    assert.equal(created.code, 0, created.output);
  });
  after(async () => {
    await plane.stop();
    await rm(directory, { recursive: true, force: true });
  });

  it('admits what the components declare', async () => {
    const { code, output } = await preview({}, '--policy-pack', PACK);
    assert.equal(code, 0, output);
    assert.ok(!output.includes('[mandatory]'), output);
  });

  it('blocks fast-v2 beside stable-v2, naming both extensions and the versions they resolve to', async () => {
    const { code, output } = await preview({ FLEET_TEST_DUPLICATE: '1' }, '--policy-pack', PACK);
    assert.notEqual(code, 0, output);
    assert.ok(output.includes(COLLISION), output);
  });

  it('sees an extension that somebody has put into the cluster with kubectl', async () => {
    await plane.client.create(EXTENSIONS, {
      apiVersion: 'olm.operatorframework.io/v1',
      kind: 'ClusterExtension',
      metadata: { name: 'by-hand' },
      spec: {
        source: { sourceType: 'Catalog', catalog: { packageName: 'inference-stack-operator', channels: ['fast-v2'] } },
      },
    });
    const { code, output } = await preview({}, '--policy-pack', PACK);
    await plane.client.delete(EXTENSIONS, { name: 'by-hand' });
    assert.notEqual(code, 0, output);
    assert.ok(output.includes(COLLISION), output);
  });

  it('becomes a comment that shows the finding first', async () => {
    const log = join(directory, 'events.jsonl');
    const { output } = await preview(
      { FLEET_TEST_DUPLICATE: '1' },
      '--policy-pack',
      PACK,
      '--json',
      '--event-log',
      log,
    );
    const io = recordingIo({ p: output.slice(0, output.lastIndexOf('\n}') + 2), e: await readFile(log, 'utf8') });
    assert.equal(await previewComment(['--stack', 'prod', '--preview', 'p', '--events', 'e'], io), 0);
    const lines = io.stdout().split('\n');
    assert.match(lines[2] ?? '', /^### Preview of `prod`: refused by 3 policy findings \(\d+ to create\)$/);
    assert.ok(
      lines[6]?.startsWith('- **mandatory**, critical, `one-operator-per-major`: ClusterExtension'),
      io.stdout(),
    );
    assert.ok(io.stdout().includes('- v2: 2.1.0 (stable-v2, new)'), io.stdout());
  });
});
