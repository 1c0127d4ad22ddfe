import { writeFile } from 'node:fs/promises';
import { parseDeprecations } from '../../../components/catalog/deprecations.ts';
import type { FbcDeprecations } from '../../../components/catalog/fbc.ts';
import { parseLock, writeLock } from '../../../components/catalog/lock.ts';
import type { CatalogState } from '../../../components/catalog/release.ts';
import type { Io } from '../../io.ts';

/** The committed files of the production catalog, and the development template, relative to the checkout. */
export const TEMPLATE = 'catalog/operator_catalog.yaml';
export const DEV_TEMPLATE = 'catalog/operator_catalog_dev.yaml';
export const LOCK = 'catalog/catalog.lock.yaml';
export const DEPRECATIONS = 'catalog/deprecations.yaml';

/** Options of commands that work on the released catalog. */
export const STATE_OPTIONS = {
  file: { type: 'string', short: 'f', default: TEMPLATE },
  lock: { type: 'string', default: LOCK },
} as const;
export const STATE_USAGE = `  -f, --file FILE  template (${TEMPLATE})
  --lock FILE      lock (${LOCK})`;

export async function readState(io: Io, template = TEMPLATE, lock = LOCK): Promise<CatalogState> {
  const [text, locked] = await Promise.all([io.read(template), io.read(lock)]);
  return { template: text, file: template, lock: parseLock(locked, lock) };
}

export async function writeState(state: CatalogState, lock = LOCK): Promise<void> {
  await Promise.all([writeFile(state.file, state.template), writeFile(lock, writeLock(state.lock))]);
}

export async function readDeprecations(io: Io, file = DEPRECATIONS): Promise<{ deprecations?: FbcDeprecations }> {
  const deprecations = parseDeprecations(await io.read(file), file);
  return deprecations === undefined ? {} : { deprecations };
}
