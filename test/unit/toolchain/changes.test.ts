import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyChanges, type Change, changesKey } from '../../../toolchain/changes.ts';
import { goRecipe } from '../../../toolchain/go-build.ts';
import type { GoModule } from '../../../toolchain/programs-file.ts';

const WORDS = { what: 'Something', why: 'A reason', cost: 'None.' };

describe('a change to a released program', () => {
  let directory: string;
  let source: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'changes-'));
    source = join(directory, 'released');
    mkdirSync(source);
    mkdirSync(join(directory, 'source/cmd'), { recursive: true });
    for (const file of ['go.mod', 'go.sum', 'source/cmd/own.go']) writeFileSync(join(directory, file), file);
    writeFileSync(join(source, 'main.go'), 'one two two three');
  });

  afterEach(() => rmSync(directory, { recursive: true }));

  function moduleWith(...changes: Partial<Change>[]): GoModule {
    const whole = changes.map((change) => ({ ...WORDS, ...change }));
    return { path: 'example.com/program', version: 'v1.0.0', why: 'A test', changes: whole };
  }

  function apply(...changes: Partial<Change>[]): void {
    applyChanges(moduleWith(...changes), directory, source);
  }

  it('replaces a text that is there once', () => {
    apply({ substitute: [{ file: 'main.go', find: 'one', put: '$1 $& more' }] });
    assert.equal(readFileSync(join(source, 'main.go'), 'utf8'), '$1 $& more two two three');
  });

  it('adds files of our own, copies files of the source and leaves files out', () => {
    apply({ add: ['cmd/own.go'], copy: { 'copy.go': 'main.go' }, remove: ['main.go'] });
    assert.equal(readFileSync(join(source, 'cmd/own.go'), 'utf8'), 'source/cmd/own.go');
    assert.equal(readFileSync(join(source, 'copy.go'), 'utf8'), 'one two two three');
    assert.equal(existsSync(join(source, 'main.go')), false);
  });

  it('is refused with everything that does not fit the source', () => {
    const find = (text: string, file = 'main.go'): Partial<Change> => ({ substitute: [{ file, find: text, put: '' }] });
    const wrong = [find('four'), find('two'), find('one', 'gone.go'), { remove: ['away.go'] }, { add: ['missing.go'] }];
    const adapt = 'The source is not what the changes in programs.yaml were written for: adapt them.';
    assert.throws(() => apply(...wrong), {
      message: [
        `example.com/program@v1.0.0: main.go: must contain the text exactly once, not 0 times (got "four"). ${adapt}`,
        `example.com/program@v1.0.0: main.go: must contain the text exactly once, not 2 times (got "two"). ${adapt}`,
        `example.com/program@v1.0.0: gone.go: is not in the source. ${adapt}`,
        `example.com/program@v1.0.0: away.go: is not in the source. ${adapt}`,
        `example.com/program@v1.0.0: missing.go: is not in the source. ${adapt}`,
      ].join('\n'),
    });
  });

  it('makes another product, and so does a change of a file of our own', () => {
    const recipe = (module: GoModule): string => goRecipe(module, { package: '.', seconds: 1 }, directory);
    const recipes = [
      recipe(moduleWith()),
      recipe(moduleWith({ remove: ['main.go'] })),
      recipe(moduleWith({ substitute: [{ file: 'main.go', find: 'one', put: 'two' }] })),
      recipe(moduleWith({ add: ['cmd/own.go'] })),
    ];
    writeFileSync(join(directory, 'source/cmd/own.go'), 'another text');
    recipes.push(recipe(moduleWith({ add: ['cmd/own.go'] })));
    assert.equal(new Set(recipes).size, recipes.length, recipes.join(' '));
  });

  it('makes the same product when only the words about it change', () => {
    const key = (change: Partial<Change>): string => changesKey(moduleWith(change), directory);
    assert.equal(key({ remove: ['main.go'], why: 'A better reason' }), key({ remove: ['main.go'] }));
  });
});
