import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseLock } from '../../components/catalog/lock.ts';
import { checkout } from '../../packages/lib/checkout.ts';
import { run } from '../../packages/lib/command.ts';
import { AUTHOR } from './author.ts';
import type { Step } from './main.ts';

const LOCK = 'catalog/catalog.lock.yaml';

/** Tags every released version that has no tag yet, at the commit that wrote its notes: what is merged is released. */
export const tag: Step = async () => {
  const { versions } = parseLock(await readFile(join(checkout, LOCK), 'utf8'), LOCK);
  await run('gh', ['auth', 'setup-git']);
  const tags = await run('git', ['ls-remote', '--tags', '--refs', 'origin']);
  const there = new Set(Array.from(tags.matchAll(/refs\/tags\/(\S+)/g), ([, name]) => name));
  for (const { version } of versions.filter((released) => !there.has(`v${released.version}`))) {
    const notes = `docs/releases/${version}.md`;
    const commit = (await run('git', ['log', '-1', '--diff-filter=A', '--format=%H', '--', notes])).trim();
    // A bundle that was pushed and added by hand has no notes, and whoever did that tags it.
    if (commit === '') continue;
    await run('git', [...AUTHOR, 'tag', '--annotate', '--message', `Release ${version}`, `v${version}`, commit]);
    await run('git', ['push', '--quiet', 'origin', `refs/tags/v${version}`]);
    console.log(`v${version} is the tag of ${commit}.`);
  }
};
