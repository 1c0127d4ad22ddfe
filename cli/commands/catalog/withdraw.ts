import { withdrawVersion } from '../../../components/catalog/withdraw.ts';
import { writeTextFiles } from '../../../packages/lib/text-file.ts';
import type { Io } from '../../io.ts';
import { type DeprecationOptions, readState, type StateOptions } from './files.ts';

/** The options of `fleet catalog withdraw`. */
export interface CatalogWithdrawOptions extends StateOptions, DeprecationOptions {
  readonly version: string;
  readonly reason: string;
}

/** Tells clusters to leave a version. It stays in the catalog, so those that run it can install it again. */
export async function run(options: CatalogWithdrawOptions, io: Io): Promise<number> {
  const { version, reason, file, lock, deprecations } = options;
  const [state, before] = await Promise.all([readState(io, file, lock), io.read(deprecations)]);
  const { text, message } = withdrawVersion(state, { text: before, file: deprecations }, { version, reason });
  if (text === before) {
    io.out(`${version} is withdrawn already, and nothing has changed. Users read: ${message}\n`);
    return 0;
  }
  await writeTextFiles([{ path: deprecations, text }]);
  io.out(`${version} is withdrawn, and stays installable. Users read: ${message}\n`);
  io.out(`Commit ${deprecations}, then run make catalog-build-push.\n`);
  return 0;
}
