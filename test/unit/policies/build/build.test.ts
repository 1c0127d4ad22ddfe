import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkout } from '../../../../packages/lib/checkout.ts';
import { buildPack } from '../../../../policies/build/build.ts';
import { RULES } from '../../../../policies/rules/index.ts';

describe('the folder of the built policy pack', () => {
  let folder: string;
  before(async () => {
    folder = join(mkdtempSync(join(tmpdir(), 'pack-')), 'policies');
    await buildPack(folder);
  });
  after(() => rmSync(join(folder, '..'), { recursive: true }));

  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

  it('holds what a pack needs, and nothing that it needs not', () => {
    assert.deepEqual(readdirSync(folder).sort(), [
      'LICENSE',
      'PulumiPolicy.yaml',
      'README.md',
      'catalog.lock.yaml',
      'index.mjs',
      'package.json',
    ]);
  });

  it('declares every package that its code imports', () => {
    const imported = [...read('index.mjs').matchAll(/^import .*?from "([^"]+)";$/gm)].map(([, name = '']) => name);
    const packages = imported.filter((name) => !name.startsWith('node:'));
    const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Readonly<Record<string, string>> };
    assert.deepEqual(packages, ['@pulumi/policy']);
    // Pulumi's host runs a pack with the @pulumi/pulumi that it finds beside it.
    assert.deepEqual(Object.keys(dependencies), ['@pulumi/policy', '@pulumi/pulumi']);
    assert.ok(Object.values(dependencies).every((version) => /^\d+\.\d+\.\d+$/.test(version)));
  });

  it('names no file of the checkout, and finds its own beside its code only', () => {
    assert.ok(!read('index.mjs').includes(checkout));
    assert.equal(read('index.mjs').split('import.meta').length - 1, 2, 'for require, and for its own folder');
  });

  it('carries what was released when it was built', () => {
    assert.equal(read('catalog.lock.yaml'), readFileSync(join(checkout, 'catalog/catalog.lock.yaml'), 'utf8'));
  });

  it('explains every rule without a page of the checkout', () => {
    const page = read('README.md');
    for (const { name } of RULES) assert.ok(page.includes(`\n## ${name}\n`), name);
    const links = [...page.matchAll(/\]\(([^)]+)\)/g)].map(([, target = '']) => target);
    assert.deepEqual(
      links.filter((target) => !target.startsWith('#')),
      [],
    );
  });
});
