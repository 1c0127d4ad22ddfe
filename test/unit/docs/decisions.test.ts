import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkout } from '../../../packages/lib/checkout.ts';

const FOLDER = 'docs/decisions';
const read = (file: string): string => readFileSync(join(checkout, file), 'utf8');
const files = readdirSync(join(checkout, FOLDER)).filter((name) => /^\d{4}-.*\.md$/.test(name));
const tracked = execFileSync('git', ['ls-files'], { cwd: checkout, encoding: 'utf8' }).split('\n');
const folders = new Set(tracked.filter((path) => path.includes('/')).map((path) => path.split('/')[0]));

/** A decision that no longer holds says what took its place, and may speak of what is gone. */
function isReplaced(text: string): boolean {
  return /^Status: replaced by \[\d{4}\]\(/m.test(text);
}

/** Files and folders of this repository that a text names in code spans; `<…>` and `*` stand for anything. */
function namedPaths(text: string): string[] {
  const spans = [...text.matchAll(/`([^`\s]+)`/g)].map(([, span = '']) => span);
  return spans.filter((span) => folders.has(span.split('/')[0]) && /^[\w./-]+\/[\w./-]+$/.test(span));
}

describe('decisions', () => {
  it('have numbers of their own, and titles that begin with them', () => {
    const numbers = files.map((name) => name.slice(0, 4));
    assert.equal(new Set(numbers).size, numbers.length);
    for (const name of files) assert.match(read(join(FOLDER, name)), new RegExp(`^# ${name.slice(0, 4)} \\S`), name);
  });

  it('are in the index, each once and by the title that it has', () => {
    const index = read(join(FOLDER, 'README.md'));
    const entries = [...index.matchAll(/^- \[(\d{4} .+?)\]\(([^)]+)\)/gm)].map(([, title, file]) => [file, title]);
    const titles = files.map((name) => [name, /^# (.+)$/m.exec(read(join(FOLDER, name)))?.[1]]);
    assert.deepEqual(entries.sort(), titles.sort());
  });

  it('name only what there is, unless they are replaced', () => {
    const missing = files.flatMap((name) => {
      const text = read(join(FOLDER, name));
      if (isReplaced(text)) return [];
      const missingPaths = namedPaths(text).filter((path) => !existsSync(join(checkout, path)));
      return missingPaths.map((path) => `${name}: ${path}`);
    });
    assert.deepEqual(missing, []);
  });

  it('that are replaced say so in the index', () => {
    const index = read(join(FOLDER, 'README.md'));
    for (const name of files.filter((each) => isReplaced(read(join(FOLDER, each))))) {
      const line = index.split('\n').find((each) => each.includes(`](${name})`)) ?? '';
      assert.match(line, /replaced by/, name);
    }
  });
});
