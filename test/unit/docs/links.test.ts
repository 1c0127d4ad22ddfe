import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { checkout } from '../../../packages/lib/checkout.ts';

/** A link to a file of this repository, and the heading in it, if it names one. */
interface Link {
  readonly page: string;
  readonly target: string;
  readonly anchor: string;
}

const pages = execFileSync('git', ['ls-files', '*.md'], { cwd: checkout, encoding: 'utf8' })
  .split('\n')
  .filter((page) => page !== '' && existsSync(join(checkout, page)));

const text = (page: string): string => readFileSync(join(checkout, page), 'utf8');

/** What is in code is not a link, and not a heading. */
function withoutCode(page: string): string {
  return page.replaceAll(/```[^]*?```/g, '');
}

function linksOf(page: string): Link[] {
  const found = [
    ...withoutCode(text(page))
      .replaceAll(/`[^`]*`/g, '')
      .matchAll(/\]\(([^)#\s]*)(?:#([^)\s]*))?\)/g),
  ];
  return found
    .map(([, target = '', anchor = '']) => ({ page, target, anchor }))
    .filter(({ target }) => !target.includes(':'))
    .map((link) => ({ ...link, target: link.target === '' ? page : normalize(join(dirname(page), link.target)) }));
}

/** The anchors of a page, as GitHub makes them of its headings. */
function anchorsOf(page: string): ReadonlySet<string> {
  const seen = new Map<string, number>();
  const headings = [...withoutCode(text(page)).matchAll(/^#{1,6} +(.*?) *#* *$/gm)];
  return new Set(
    headings.map(([, heading = '']) => {
      const words = heading.replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
      const anchor = words.replaceAll(/[^\p{L}\p{N}\p{M}_\- ]/gu, '').replaceAll(' ', '-');
      const before = seen.get(anchor) ?? 0;
      seen.set(anchor, before + 1);
      return before === 0 ? anchor : `${anchor}-${String(before)}`;
    }),
  );
}

const links = pages.flatMap(linksOf);

describe('pages', () => {
  it('link to files that exist', () => {
    const broken = links.filter(({ target }) => !existsSync(join(checkout, target)));
    assert.deepEqual(broken, []);
  });

  it('link to headings that exist', () => {
    const broken = links.filter(({ target, anchor }) => {
      const file = join(checkout, target);
      if (anchor === '' || !target.endsWith('.md') || !existsSync(file) || statSync(file).isDirectory()) return false;
      return !anchorsOf(target).has(anchor);
    });
    assert.deepEqual(broken, []);
  });

  it('of the documentation are all in its index, but for decisions and the notes of releases, which have their own', () => {
    const linked = new Set(linksOf('docs/README.md').map(({ target }) => target));
    const missing = pages.filter((page) => /^docs\/(?!decisions\/|releases\/|README)/.test(page) && !linked.has(page));
    assert.deepEqual(missing, []);
    assert.ok(linked.has('docs/decisions/README.md'));
  });

  it('of the documentation are not forgotten by README', () => {
    assert.ok(linksOf('README.md').some(({ target }) => target === 'docs/README.md'));
  });
});
