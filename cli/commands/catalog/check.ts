import { execFileSync } from 'node:child_process';
import { lockProblems, templateProblems } from '../../../components/catalog/append-only.ts';
import { parseLock } from '../../../components/catalog/lock.ts';
import { retaggedProblems } from '../../../components/catalog/verify-digests.ts';
import { parseTemplate } from '../../../components/catalog/template.ts';
import { refuse } from '../../../packages/lib/problem.ts';
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
  return execFileSync('git', ['show', `${revision}:${file}`], { encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 });
}
