import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkout } from '../../../packages/lib/checkout.ts';
import { messageOf } from '../../../packages/lib/error.ts';
import { ProblemsError } from '../../../packages/lib/problem.ts';
import type { Step } from '../main.ts';
import { needed } from '../needed.ts';
import { checklist, type Item } from './checklist.ts';
import { proposeToCommunity } from './community.ts';
import { LIST, readDownstream } from './list.ts';
import { mergeInto } from './merge.ts';
import type { Release } from './release.ts';

/** Gives a release to everybody on the list. One who cannot be reached keeps no other one from getting it. */
export const downstream: Step = async (env) => {
  const { community, merges } = readDownstream(await readFile(join(checkout, LIST), 'utf8'));
  const release = releaseOf(env);
  const work = [
    ...community.map((entry) => ({ where: entry.repository, run: () => proposeToCommunity(entry, release) })),
    ...merges.flatMap(({ repository, branches }) =>
      branches.map((branch) => ({
        where: `${repository}, branch ${branch}`,
        run: () => mergeInto(repository, branch, checkout, release),
      })),
    ),
  ];
  const items: Item[] = [];
  for (const { where, run } of work) {
    items.push(
      await run().catch((error: unknown) => ({
        text: `${where}: ${messageOf(error)}`,
        isDone: false,
        hasFailed: true,
      })),
    );
  }
  const text = checklist(release.version, items);
  console.log(text);
  const { GITHUB_STEP_SUMMARY: summary = '' } = env;
  if (summary !== '') await appendFile(summary, text);
  const failed = items.filter(({ hasFailed = false }) => hasFailed);
  if (failed.length > 0) throw new Error(`${failed.length} of ${items.length} did not work: see the list.`);
};

function releaseOf(env: Parameters<Step>[0]): Release {
  const { VERSION, COMMITTER } = needed(env, 'VERSION', 'COMMITTER');
  const [, name, email] = /^(.+) <(.+@.+)>$/.exec(COMMITTER) ?? [];
  if (name === undefined || email === undefined) {
    const remedy = 'Use a form such as: Release Bot <releases@example.com>.';
    throw new ProblemsError([
      { path: 'COMMITTER', value: COMMITTER, message: 'is not a name with an address', remedy },
    ]);
  }
  const base = [env['GIT_BASE'], env['GITHUB_SERVER_URL']].find((url) => (url ?? '') !== '') ?? 'https://github.com';
  return {
    version: VERSION,
    identity: ['-c', `user.name=${name}`, '-c', `user.email=${email}`],
    makeArguments: (env['ARGS'] ?? '') === '' ? [] : [`ARGS=${env['ARGS'] ?? ''}`],
    url: (repository) => `${base}/${repository}`,
  };
}
