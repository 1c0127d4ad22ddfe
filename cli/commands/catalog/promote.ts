import { promoteVersion } from '../../../components/catalog/release.ts';
import type { Io } from '../../io.ts';
import { readState, type StateOptions, writeState } from './files.ts';

/** The options of `fleet catalog promote`. */
export interface CatalogPromoteOptions extends StateOptions {
  readonly version: string;
}

/** Moves a version on: from candidate to fast, from fast to stable. */
export async function run({ version, file, lock }: CatalogPromoteOptions, io: Io): Promise<number> {
  const { state, stream } = promoteVersion(await readState(io, file, lock), version);
  await writeState(state, lock);
  io.out(`${version} is now in ${stream}. Commit ${file} and ${lock}, then run make catalog-build-push.\n`);
  return 0;
}
