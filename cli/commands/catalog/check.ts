import { execFileSync } from 'node:child_process';
import { lockProblems, templateProblems } from '../../../components/catalog/append-only.ts';
import { parseLock } from '../../../components/catalog/lock.ts';
import { retaggedProblems } from '../../../components/catalog/verify-digests.ts';
import { parseTemplate } from '../../../components/catalog/template.ts';
import { refuse } from '../../../packages/lib/problem.ts';
import type { Io } from '../../io.ts';
import { parseOptions } from '../../options.ts';
import { REGISTRY_OPTIONS, REGISTRY_USAGE, withRegistry } from '../../registry-options.ts';
import { readState, STATE_OPTIONS, STATE_USAGE } from './files.ts';

const USAGE = `Usage: fleet catalog check [--base REVISION] [--registry]

  --base REVISION  also compare the lock with that of a git revision, e.g. origin/main
  --registry       also ask the registry whether every released tag still is the released image
${STATE_USAGE}
${REGISTRY_USAGE}`;

const OPTIONS = {
  base: { type: 'string' },
  registry: { type: 'boolean' },
  ...STATE_OPTIONS,
  ...REGISTRY_OPTIONS,
} as const;

/** Refuses a catalog that removes, changes, re-tags or demotes a release. */
export async function run(args: string[], io: Io): Promise<number> {
  const values = parseOptions(args, OPTIONS, USAGE);
  const { template, file, lock } = await readState(io, values.file, values.lock);
  const earlier =
    values.base === undefined ? lock : parseLock(lockAt(values.base, values.lock), `${values.base}:${values.lock}`);
  const retagged =
    values.registry === true
      ? await withRegistry(values, io, (client) => retaggedProblems(client, lock, values.lock))
      : [];
  refuse([
    ...templateProblems(parseTemplate(template, file), lock, file),
    ...lockProblems(earlier, lock, values.lock),
    ...retagged,
  ]);
  io.out(`${lock.versions.length} released versions, none removed or changed.\n`);
  return 0;
}

function lockAt(revision: string, file: string): string {
  return execFileSync('git', ['show', `${revision}:${file}`], { encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 });
}
