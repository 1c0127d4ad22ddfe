import { run } from '../../../packages/lib/command.ts';
import type { Item } from './checklist.ts';
import { withClone } from './git.ts';
import type { Community } from './list.ts';
import type { Release } from './release.ts';

/** Proposes a release to a repository of community operators. Its branch is written anew, so running again changes nothing. */
export async function proposeToCommunity({ repository, fork }: Community, release: Release): Promise<Item> {
  const { version, identity, url } = release;
  const branch = `inference-stack-operator-${version}`;
  return withClone(url(repository), ['--depth', '1'], async ({ directory, git }) => {
    await run('make', ['community-bundle', `VERSION=${version}`, `COMMUNITY=${directory}`, ...release.makeArguments]);
    await git('add', '--all', 'operators');
    if ((await git('diff', '--cached', '--name-only')) === '')
      return { text: `${repository} has ${version}.`, isDone: true };
    const title = `operator inference-stack-operator (${version.slice(1)})`;
    // These repositories take one signed-off commit.
    await git(...identity, 'commit', '--quiet', '--signoff', '--message', title);
    await git('push', '--quiet', '--force', url(fork), `HEAD:refs/heads/${branch}`);
    const head = `${fork.split('/')[0] ?? ''}:${branch}`;
    const found = ['--repo', repository, '--head', branch, '--state', 'open', '--json', 'url', '--jq', '.[].url'];
    const open = (await run('gh', ['pr', 'list', ...found])).trim();
    const create = ['--repo', repository, '--head', head, '--title', title, '--body', BODY];
    const link = open === '' ? (await run('gh', ['pr', 'create', ...create])).trim() : open;
    return { text: `Look at ${link}, answer its reviewers, and see that it is merged.`, isDone: false };
  });
}

const BODY =
  'The bundle is the released one. The InferenceStack API, its roles and a Lease are installed separately, because several major versions share them.';
