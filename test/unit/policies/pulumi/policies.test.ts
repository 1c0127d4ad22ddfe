import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { PolicyResource } from '@pulumi/policy';
import { stageOf } from '../../../../policies/knowledge/levels.ts';
import { policiesOf } from '../../../../policies/pulumi/policies.ts';
import { RULES } from '../../../../policies/rules/index.ts';
import { deployment, extension } from '../../../support/policies/objects.ts';
import { resource, run } from '../../../support/policies/program.ts';
import { NO_FACTS, withChanges } from '../../../support/policies/support.ts';

const DOCS = 'docs/reference/policies.md';
const PACK = policiesOf(RULES, {
  stage: 'prod',
  load: () => Promise.resolve({ ...NO_FACTS, noCluster: 'nobody answers.' }),
  docs: DOCS,
  notes: ['It is dark.'],
});

function judged(name: string, resources: readonly PolicyResource[]): ReturnType<typeof run> {
  return run(PACK, name, resources);
}

describe('the policy pack', () => {
  it('describes every policy, with what to do and where to read on', async () => {
    const page = await readFile(new URL('../../../../docs/reference/policies.md', import.meta.url), 'utf8');
    for (const { name, displayName, description, severity, remediationSteps, url } of PACK) {
      assert.match(name, /^[a-z]+(-[a-z]+)+$/);
      assert.ok(displayName !== undefined && severity !== undefined, name);
      assert.match(description, /^[A-Z].*\.$/, name);
      assert.match(remediationSteps ?? '', /^[A-Z].*\.$/, name);
      assert.equal(url, `${DOCS}#${name}`);
      assert.ok(page.includes(`\n## ${name}\n`), `${name} is missing in docs/reference/policies.md`);
    }
  });

  it('documents every setting with its default', async () => {
    const page = await readFile(new URL('../../../../docs/reference/policies.md', import.meta.url), 'utf8');
    for (const { name, settings } of RULES) {
      const section = page.slice(page.indexOf(`\n## ${name}\n`)).split('\n## ')[1] ?? '';
      for (const [setting, schema] of Object.entries(settings ?? {})) {
        const defaults = [schema.default].flat().map((word) => `\`${String(word)}\``);
        const line = `- \`${setting}\`: ${schema.description} Default: ${defaults.join(', ') || 'none'}.`;
        assert.ok(section.includes(line), `${name} should document: ${line}`);
      }
    }
  });

  it('is strict in every environment that is not plainly for development', () => {
    assert.deepEqual(['dev', 'dev-anna', 'eu-dev'].map(stageOf), ['dev', 'dev', 'dev']);
    assert.deepEqual(['prod', 'devious', 'staging', ''].map(stageOf), ['prod', 'prod', 'prod', 'prod']);
  });

  it('is mandatory in production, but for what only says what is not known', () => {
    const lax = PACK.filter(({ enforcementLevel }) => enforcementLevel !== 'mandatory').map(({ name }) => name);
    assert.deepEqual(lax, ['known-in-preview']);
  });

  it('keeps in development what protects other people', () => {
    const dev = policiesOf(RULES, { stage: 'dev', load: () => Promise.resolve(NO_FACTS), docs: DOCS });
    const levels = Object.fromEntries(dev.map(({ name, enforcementLevel }) => [name, enforcementLevel]));
    assert.deepEqual(levels, {
      'one-operator-per-major': 'mandatory',
      'extension-is-bounded': 'mandatory',
      'catalog-is-append-only': 'mandatory',
      'catalog-is-signed': 'disabled',
      'crd-stays-compatible': 'mandatory',
      'crd-is-protected': 'disabled',
      'no-wildcard-rbac': 'mandatory',
      'no-dangerous-rights': 'mandatory',
      'olm-writers-are-known': 'mandatory',
      'guards-are-enforced': 'advisory',
      'upgrades-spare-stacks': 'advisory',
      'inference-stack-is-owned': 'advisory',
      'stable-channels-only': 'disabled',
      'images-by-digest': 'advisory',
      'registries-are-allowed': 'disabled',
      'workloads-are-hardened': 'advisory',
      'known-in-preview': 'advisory',
    });
  });

  it('reports on the resource that is at fault', async () => {
    const second = withChanges(extension(2, 'fast-v2'), [['metadata', 'name'], 'second']);
    const reported = await judged('one-operator-per-major', [resource(extension()), resource(second)]);
    assert.deepEqual(
      reported.map(([, urn]) => urn),
      ['urn:second'],
    );
    assert.deepEqual(await judged('stable-channels-only', [resource(second)]), [
      ['ClusterExtension second should subscribe to a stable channel, not fast-v2.', 'urn:second'],
    ]);
  });

  it('does not refuse what it does not know, and says so in one place', async () => {
    const unknown = resource(deployment(), { unknownKey: 'spec' });
    assert.deepEqual(await judged('workloads-are-hardened', [unknown]), []);
    assert.deepEqual(await judged('known-in-preview', [unknown]), [
      ['It is dark.', undefined],
      ['No cluster was read: nobody answers.', undefined],
      ['Deployment inference-stack-operator-system/controller: spec is known only after the update.', 'urn:controller'],
    ]);
  });

  it('says that it does not see what a Helm release installs', async () => {
    const release = resource({ metadata: { name: 'release' } }, { type: 'kubernetes:helm.sh/v3:Release' });
    const reported = await judged('known-in-preview', [release]);
    assert.deepEqual(reported.at(-1), [
      'Helm release release: what its chart installs is not shown to policies. Use a Chart instead.',
      'urn:release',
    ]);
  });

  it('passes over resources that are not of Kubernetes', async () => {
    const foreign = resource(deployment(), { type: 'docker-build:index:Image' });
    assert.deepEqual(await judged('workloads-are-hardened', [foreign]), []);
  });
});
