import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import yaml from 'js-yaml';
import { checkout } from '../../../packages/lib/checkout.ts';
import type { Rule } from '../../../policies/knowledge/rule.ts';
import { APPLICATION_SAMPLES } from '../../support/people/field-samples.ts';
import { violations } from '../../support/policies/support.ts';

/** The blocks of a page in one language, as they are written. */
function blocks(page: string, language: string): string[] {
  const text = readFileSync(join(checkout, 'docs/how-to', page), 'utf8');
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'gm'))].map(([, block = '']) => block);
}

describe('the recipe for a new field', function () {
  this.timeout(60_000);
  let copy: string;
  beforeEach(() => {
    copy = mkdtempSync(join(tmpdir(), 'new-field-'));
    cpSync(join(checkout, 'packages'), join(copy, 'packages'), { recursive: true });
    cpSync(join(checkout, 'package.json'), join(copy, 'package.json'));
    symlinkSync(join(checkout, 'node_modules'), join(copy, 'node_modules'));
  });
  afterEach(() => rmSync(copy, { recursive: true }));

  const apply = (diff: string): void => {
    execFileSync('git', ['apply', '-'], {
      cwd: copy,
      input: diff,
      env: { ...process.env, GIT_CEILING_DIRECTORIES: tmpdir() },
    });
  };

  /** What the copy says in a process of its own: modules that were loaded from the checkout stay as they are. */
  const ask = (code: string): string => {
    const script = join(copy, 'ask.ts');
    writeFileSync(script, code);
    return execFileSync(process.execPath, [script], { cwd: copy, encoding: 'utf8' });
  };

  const isInDefinition = (): boolean =>
    ask(`import { apiFiles } from './packages/api/generate/outputs.ts';
console.log(apiFiles()['packages/api/crds/inferencestacks.yaml']);`).includes('schedulerName:');

  const isRendered = (): boolean =>
    ask(`import { offlineContext } from './packages/render/offline-context.ts';
import { render } from './packages/render/render.ts';
const stack = { apiVersion: '', kind: '', metadata: { name: 'chat' }, spec: { gateway: { schedulerName: 'mine' } } };
console.log(JSON.stringify(render(stack, offlineContext(stack)).objects));`).includes('"schedulerName":"mine"');

  it('makes a field that is in the CRD, and is rendered', () => {
    for (const diff of blocks('add-a-field.md', 'diff')) apply(diff);
    assert.deepEqual([isInDefinition(), isRendered()], [true, true]);
    assert.equal('schedulerName' in APPLICATION_SAMPLES, false, 'the page needs a field that there is not yet');
  });

  it('needs both steps: with the type alone the field renders nothing', () => {
    apply(blocks('add-a-field.md', 'diff')[0] ?? '');
    assert.deepEqual([isInDefinition(), isRendered()], [true, false]);
  });
});

describe('the recipe for a new policy', () => {
  it('makes a rule that admits and refuses what the page says', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'new-policy-'));
    try {
      const [code = ''] = blocks('add-a-policy.md', 'ts');
      const [good, bad] = blocks('add-a-policy.md', 'yaml').map((block) => yaml.load(block) as object);
      const file = join(folder, 'rule.ts');
      writeFileSync(file, code.replaceAll("'../", `'${pathToFileURL(checkout).href}/policies/`));
      const { namespacesHaveOwners: rule } = (await import(file)) as { readonly namespacesHaveOwners: Rule };
      assert.deepEqual(violations(rule, [good ?? {}]), []);
      assert.deepEqual(violations(rule, [bad ?? {}]), ['Namespace chat should have the label team.']);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
