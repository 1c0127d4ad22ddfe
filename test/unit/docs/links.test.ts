import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { checkout } from '../../../packages/lib/checkout.ts';

/** Files that a page links to. What is in code is not a link. */
function linkedFiles(page: string): string[] {
  const targets = [...page.replaceAll(/```[^]*?```|`[^`]*`/g, '').matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)];
  return targets.map(([, target = '']) => target).filter((target) => !target.includes(':'));
}

describe('pages', () => {
  it('link to files that exist', () => {
    const pages = execFileSync('git', ['ls-files', '*.md'], { cwd: checkout, encoding: 'utf8' }).split('\n');
    const broken = pages
      .filter((page) => page !== '' && existsSync(join(checkout, page)))
      .flatMap((page) =>
        linkedFiles(readFileSync(join(checkout, page), 'utf8'))
          .filter((target) => !existsSync(join(checkout, dirname(page), target)))
          .map((target) => `${page}: ${target}`),
      );
    assert.deepEqual(broken, []);
  });
});
