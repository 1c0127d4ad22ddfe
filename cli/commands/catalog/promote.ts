import { promoteVersion } from '../../../components/catalog/release.ts';
import { withdrawnProblems } from '../../../components/catalog/withdraw.ts';
import { refuse } from '../../../packages/lib/problem.ts';
import type { Io } from '../../io.ts';
import { type DeprecationOptions, readState, type StateOptions, writeRelease } from './files.ts';

/** The options of `fleet catalog promote`. */
export interface CatalogPromoteOptions extends StateOptions, DeprecationOptions {
  readonly version: string;
}

/** Moves a version on: from candidate to fast, from fast to stable. */
export async function run(options: CatalogPromoteOptions, io: Io): Promise<number> {
  const { version, file, lock, deprecations } = options;
  const before = await readState(io, file, lock);
  refuse(withdrawnProblems(before.lock, version, { text: await io.read(deprecations), file: deprecations }));
  const { state, stream } = promoteVersion(before, version);
  const files = await writeRelease(state, options, io);
  io.out(`${version} is now in ${stream}. Commit ${files}, then run make catalog-build-push.\n`);
  return 0;
}
