import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PolicyResource } from '@pulumi/policy';
import { checkout } from '../../../../packages/lib/checkout.ts';
import { program } from '../../../../infra/program.ts';
import { runRule } from '../../../../policies/knowledge/rule.ts';
import { subjectsOf } from '../../../../policies/pulumi/resources.ts';
import { RULES } from '../../../../policies/rules/index.ts';
import { OLM_MANIFEST } from '../../../support/olm/olm-manifest.ts';
import { runProgram } from '../../../support/pulumi/pulumi-program.ts';
import { resource } from '../../../support/policies/program.ts';
import { NO_FACTS } from '../../../support/policies/support.ts';

const DIGEST = `sha256:${'e'.repeat(64)}`;

/** The rules that are about what the components make, whatever a checkout's catalog and images are called. */
const RULES_OF_COMPONENTS = RULES.filter(({ name }) =>
  [
    'extension-is-bounded',
    'no-wildcard-rbac',
    'no-dangerous-rights',
    'guards-are-enforced',
    'one-operator-per-major',
  ].includes(name),
);

describe('the rules about the program of this repository', () => {
  let directory: string;
  before(() => {
    directory = mkdtempSync(join(tmpdir(), 'program-'));
    writeFileSync(join(directory, 'olm.yaml'), OLM_MANIFEST);
  });
  after(() => rmSync(directory, { recursive: true }));

  async function registered(guards: string): Promise<PolicyResource[]> {
    const settings = {
      kubeconfig: join(directory, 'missing'),
      kubeContext: 'staging',
      // The last one by which operators are installed with rights of their own.
      olm: JSON.stringify({
        version: '1.10.0',
        manifest: join(directory, 'olm.yaml'),
        nodeSelector: { pool: 'system' },
      }),
      catalog: JSON.stringify({ source: 'checkout', template: 'catalog/operator_catalog_dev.yaml' }),
      images: JSON.stringify({ repository: 'registry.example/fleet', base: 'registry.example/node:24' }),
      operators: JSON.stringify([{ major: 3, channel: 'fast' }, { major: 4 }]),
      guards,
    };
    const entries = Object.entries(settings).map(([key, value]) => [`inference-stack-fleet:${key}`, value]);
    const config = Object.fromEntries(entries) as Record<string, string>;
    const silent = (): void => undefined;
    const log = { info: silent, warn: silent };
    const { resources } = await runProgram(
      async () => {
        await program({ environment: 'test', checkout, config, preview: true, now: new Date(), log });
      },
      ({ type }) => (type === 'docker-build:index:Image' ? { digest: DIGEST } : {}),
    );
    return resources.map(({ type, inputs }) => resource(inputs, { type }));
  }

  async function found(guards: string): Promise<string[]> {
    const subjects = subjectsOf(await registered(guards));
    assert.ok(subjects.length > 20);
    return RULES_OF_COMPONENTS.flatMap((rule) => runRule(rule, subjects, NO_FACTS).map(({ message }) => message));
  }

  it('admit what it makes with `guards: deny`', async () => assert.deepEqual(await found('deny'), []));

  it('refuse both guards with `guards: warn`', async () => {
    for (const message of await found('warn')) {
      assert.match(
        message,
        /^ValidatingAdmissionPolicyBinding .* \(validationActions: \[Deny\]\), not only Warn, Audit\.$/,
      );
    }
    assert.equal((await found('warn')).length, 2);
  });

  it('refuse its operators with `guards: off`', async () => {
    assert.equal((await found('off')).filter((message) => message.includes('without its guard')).length, 2);
  });
});
