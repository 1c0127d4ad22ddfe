import { readFile } from 'node:fs/promises';
import { run } from '../../packages/lib/command.ts';
import { ProblemsError } from '../../packages/lib/problem.ts';
import type { Step } from './main.ts';
import { needed } from './needed.ts';

interface Comment {
  readonly id: number;
  readonly body: string;
  readonly user: { readonly type: string };
}

/** Comments on the pull request, or edits the comment of the run before: both begin with the same line. */
export const comment: Step = async (env) => {
  const { GITHUB_REPOSITORY, NUMBER, FILE } = needed(env, 'GITHUB_REPOSITORY', 'NUMBER', 'FILE');
  const body = await readFile(FILE, 'utf8');
  const [marker = ''] = body.split('\n');
  if (marker === '')
    throw new ProblemsError([{ object: FILE, path: '', message: 'is empty, and nothing is not a comment' }]);
  const comments = `repos/${GITHUB_REPOSITORY}/issues/${NUMBER}/comments`;
  const pages = JSON.parse(await run('gh', ['api', '--paginate', '--slurp', comments])) as Comment[][];
  // Somebody else may have quoted it.
  const earlier = pages.flat().find(({ user, body: text }) => user.type === 'Bot' && text.split('\n')[0] === marker);
  const input = JSON.stringify({ body });
  const [method, path] =
    earlier === undefined ? ['POST', comments] : ['PATCH', `repos/${GITHUB_REPOSITORY}/issues/comments/${earlier.id}`];
  await run('gh', ['api', '--method', method, path, '--input', '-'], { input });
  console.log(earlier === undefined ? 'Commented.' : 'Edited the comment of the run before.');
};
