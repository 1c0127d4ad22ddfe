import type { Item } from './checklist.ts';
import { succeeds, withClone } from './git.ts';
import type { Release } from './release.ts';

/** Merges a release into a branch of a repository that carries this one. A conflict is left to people, who get the commands. */
export async function mergeInto(repository: string, branch: string, checkout: string, release: Release): Promise<Item> {
  const { version, identity, url } = release;
  const where = `${repository}, branch ${branch}`;
  return withClone(url(repository), ['--single-branch', '--branch', branch], async ({ git }) => {
    await git('fetch', '--quiet', checkout, `refs/tags/${version}:refs/tags/${version}`);
    if (await succeeds(git('merge-base', '--is-ancestor', version, 'HEAD'))) {
      return { text: `${where}, has ${version}.`, isDone: true };
    }
    const message = `Merge ${version}`;
    if (!(await succeeds(git(...identity, 'merge', '--quiet', '--no-ff', '--message', message, version)))) {
      const files = (await git('diff', '--name-only', '--diff-filter=U')).trim().split('\n').join(', ');
      const commands = `git merge --no-ff ${version}`;
      return {
        text: `${where}: ${files} conflict. Run \`${commands}\` there, resolve, and push.`,
        isDone: false,
        hasFailed: true,
      };
    }
    await git('push', '--quiet', 'origin', `HEAD:refs/heads/${branch}`);
    return { text: `${version} is merged into ${where}. See that its own checks pass.`, isDone: false };
  });
}
