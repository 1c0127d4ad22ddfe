import { parseDeprecations } from '../../../components/catalog/deprecations.ts';
import type { FbcDeprecations } from '../../../components/catalog/fbc.ts';
import { parseLock, writeLock } from '../../../components/catalog/lock.ts';
import type { CatalogState } from '../../../components/catalog/release.ts';
import { refreshWaysOut } from '../../../components/catalog/withdraw.ts';
import { type TextFile, writeTextFiles } from '../../../packages/lib/text-file.ts';
import type { Io } from '../../io.ts';
import { DEPRECATIONS, LOCK, TEMPLATE } from './committed.ts';

/** The options of commands that work on the released catalog. */
export interface StateOptions {
  readonly file: string;
  readonly lock: string;
}

export async function readState(io: Io, template = TEMPLATE, lock = LOCK): Promise<CatalogState> {
  const [text, locked] = await Promise.all([io.read(template), io.read(lock)]);
  return { template: text, file: template, lock: parseLock(locked, lock) };
}

/** Writes template and lock, and other files with them, all or none. */
export async function writeState(state: CatalogState, lock = LOCK, others: readonly TextFile[] = []): Promise<void> {
  await writeTextFiles([
    { path: state.file, text: state.template },
    { path: lock, text: writeLock(state.lock) },
    ...others,
  ]);
}

/** Options of commands that also read which versions users should leave. */
export interface DeprecationOptions {
  readonly deprecations: string;
}

/**
 * Writes what was released, and the ways out of withdrawn versions that are other ones now. Returns the names of the files
 * to commit.
 */
export async function writeRelease(
  state: CatalogState,
  { lock, deprecations: file }: StateOptions & DeprecationOptions,
  io: Io,
): Promise<string> {
  const text = await io.read(file);
  const refreshed = refreshWaysOut(state, { text, file });
  await writeState(state, lock, refreshed === text ? [] : [{ path: file, text: refreshed }]);
  return refreshed === text ? `${state.file} and ${lock}` : `${state.file}, ${lock} and ${file}`;
}

export async function readDeprecations(io: Io, file = DEPRECATIONS): Promise<{ deprecations?: FbcDeprecations }> {
  const deprecations = parseDeprecations(await io.read(file), file);
  return deprecations === undefined ? {} : { deprecations };
}
