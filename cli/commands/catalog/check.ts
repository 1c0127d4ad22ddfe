import { spawnSync } from 'node:child_process';
import { isAbsolute } from 'node:path';
import { lockProblems, templateProblems } from '../../../components/catalog/append-only.ts';
import { parseLock } from '../../../components/catalog/lock.ts';
import { retaggedProblems } from '../../../components/catalog/verify-digests.ts';
import { parseTemplate } from '../../../components/catalog/template.ts';
import { ProblemsError, refuse } from '../../../packages/lib/problem.ts';
import type { Io } from '../../io.ts';
import { type RegistryOptions, withRegistry } from '../../registry-options.ts';
import { readState, type StateOptions } from './files.ts';

/** The options of `fleet catalog check`. */
export interface CatalogCheckOptions extends StateOptions, RegistryOptions {
  readonly base?: string | undefined;
  readonly registry?: boolean | undefined;
}

/** Refuses a catalog that removes, changes, re-tags or demotes a release. */
export async function run(options: CatalogCheckOptions, io: Io): Promise<number> {
  const { template, file, lock } = await readState(io, options.file, options.lock);
  const earlier =
    options.base === undefined
      ? lock
      : parseLock(lockAt(options.base, options.lock), `${options.base}:${options.lock}`);
  const retagged =
    options.registry === true
      ? await withRegistry(options, io, (client) => retaggedProblems(client, lock, options.lock))
      : [];
  refuse([
    ...templateProblems(parseTemplate(template, file), lock, file),
    ...lockProblems(earlier, lock, options.lock),
    ...retagged,
  ]);
  io.out(`${lock.versions.length} released versions, none removed or changed.\n`);
  return 0;
}

function lockAt(revision: string, file: string): string {
  // What is not given as a path from here is one from the top of the repository to git.
  const path = isAbsolute(file) ? file : `./${file}`;
  const found = spawnSync('git', ['show', `${revision}:${path}`], {
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
    env: { ...process.env, LC_ALL: 'C' },
  });
  if (found.status === 0) return found.stdout;
  const [reason = 'git did not run'] = (found.error?.message ?? found.stderr).trim().split('\n');
  if (/not a git repository/.test(reason)) {
    const message = 'cannot be looked up, since this is not a git repository';
    throw new ProblemsError([{ path: '--base', value: revision, message, remedy: 'Run it in the checkout.' }]);
  }
  const remedy = 'Name a revision that `git log` shows, such as origin/main; `git fetch` brings what is missing.';
  const message = `has no ${file}: ${reason.replace(/^fatal: /, '')}`;
  throw new ProblemsError([{ path: '--base', value: revision, message, remedy }]);
}
