import { run } from '../../packages/lib/command.ts';
import { AUTHOR } from './author.ts';
import type { Step } from './main.ts';
import { needed } from './needed.ts';

/** What commands of the catalog change. */
const PATHS = ['catalog', 'docs/reference/upgrade-graph.md'];

/**
 * Opens a pull request with what the steps before have changed in the catalog. The branch is written anew each time, so that a run that was
 * ended early, or runs again, ends with the same pull request.
 */
export const propose: Step = async (env) => {
  const { BRANCH, TITLE } = needed(env, 'BRANCH', 'TITLE');
  await run('git', ['add', '--', ...PATHS]);
  const isChanged = (await run('git', ['diff', '--cached', '--name-only'])) !== '';
  if (isChanged) await run('git', [...AUTHOR, 'commit', '--quiet', '--message', TITLE]);
  // A release commits by itself what it has made.
  else if ((await run('git', ['rev-parse', 'HEAD'])).trim() === env['GITHUB_SHA']) {
    console.log('Nothing has changed, so there is nothing to propose.');
    return;
  }
  await run('gh', ['auth', 'setup-git']);
  await run('git', ['push', '--force', 'origin', `HEAD:refs/heads/${BRANCH}`]);
  const open = await run('gh', ['pr', 'list', '--head', BRANCH, '--state', 'open', '--json', 'url', '--jq', '.[].url']);
  if (open.trim() !== '') console.log(`The pull request is up to date: ${open.trim()}`);
  else console.log((await run('gh', ['pr', 'create', '--head', BRANCH, '--title', TITLE, '--body', BODY])).trim());
};

const BODY =
  'Written by a workflow. The checks of the catalog compare it with everything that was ever released; merging publishes it.';
