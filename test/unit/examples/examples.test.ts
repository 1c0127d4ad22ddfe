import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import yaml from 'js-yaml';
import { parseOperatorRequest } from '../../../packages/api/operator-version.ts';
import { validate } from '../../../packages/api/validate.ts';
import { checkout } from '../../../packages/lib/checkout.ts';
import { loadSettings, type ConfigMap } from '../../../infra/config/load.ts';
import { program } from '../../../infra/program.ts';
import { OLM_MANIFEST } from '../../support/olm/olm-manifest.ts';
import { runProgram, type ProgramResult } from '../../support/pulumi/pulumi-program.ts';

const SCENARIOS = readdirSync('examples', { withFileTypes: true }).filter((entry) => entry.isDirectory());
const DIGEST = `sha256:${'e'.repeat(64)}`;
const NOW = new Date('2026-03-01T00:00:00Z');

function configOf(scenario: string): ConfigMap {
  const text = readFileSync(join('examples', scenario, 'Pulumi.example.yaml'), 'utf8');
  const { config } = yaml.load(text) as { config: Record<string, unknown> };
  return Object.fromEntries(
    Object.entries(config).map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
}

function stacksOf(scenario: string): readonly { metadata: { labels: { operatorVersion: string } } }[] {
  return readdirSync(join('examples', scenario))
    .filter((file) => file.startsWith('stack'))
    .map(
      (file) =>
        yaml.load(readFileSync(join('examples', scenario, file), 'utf8')) as ReturnType<typeof stacksOf>[number],
    );
}

describe('the examples', () => {
  let directory: string;
  const state = process.env['CLUSTER_STATE'];

  before(() => {
    directory = mkdtempSync(join(tmpdir(), 'examples-'));
    writeFileSync(join(directory, 'olm.yaml'), OLM_MANIFEST);
    // No example may look at a cluster that happens to run on this machine.
    process.env['CLUSTER_STATE'] = join(directory, 'cluster');
  });

  after(() => {
    if (state === undefined) delete process.env['CLUSTER_STATE'];
    else process.env['CLUSTER_STATE'] = state;
    rmSync(directory, { recursive: true });
  });

  async function preview(scenario: string): Promise<ProgramResult> {
    const config = configOf(scenario);
    const olm = JSON.parse(config['inference-stack-fleet:olm'] ?? '{}') as object;
    const offline = {
      ...config,
      'inference-stack-fleet:olm': JSON.stringify({ ...olm, manifest: join(directory, 'olm.yaml') }),
      ...(config['inference-stack-fleet:cluster'] === 'embedded'
        ? {}
        : { 'inference-stack-fleet:kubeconfig': join(directory, 'missing') }),
    };
    const silent = (): void => undefined;
    return runProgram(
      async () => {
        await program({
          environment: scenario,
          checkout,
          config: offline,
          preview: true,
          now: NOW,
          log: { info: silent, warn: silent },
        });
      },
      ({ type }) => (type === 'docker-build:index:Image' ? { digest: DIGEST } : {}),
    );
  }

  for (const { name } of SCENARIOS) {
    describe(name, () => {
      it('says what it shows and how to run it', () => {
        assert.ok(existsSync(join('examples', name, 'README.md')));
      });

      it('has a configuration without a mistake', () => {
        assert.ok(loadSettings(name, configOf(name)).operators.length > 0);
      });

      it('has only stacks that the API accepts and that an operator of its fleet serves', () => {
        const majors = loadSettings(name, configOf(name)).operators.map(({ major }) => major);
        for (const stack of stacksOf(name)) {
          assert.equal(validate(stack).valid, true, JSON.stringify(validate(stack)));
          const major = parseOperatorRequest(stack.metadata.labels.operatorVersion)?.major;
          assert.ok(major !== undefined && majors.includes(major));
        }
      });

      if (loadSettings(name, configOf(name)).catalog.source === 'checkout') {
        it('is previewed with one extension for each of its operators', async () => {
          const extensions = (await preview(name)).resources.filter(({ type }) => type.endsWith(':ClusterExtension'));
          assert.equal(extensions.length, loadSettings(name, configOf(name)).operators.length);
        });
      }
    });
  }
});
