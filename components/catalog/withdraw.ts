import { ProblemsError, refuse } from '../../packages/lib/problem.ts';
import type { Problem } from '../../packages/lib/problem.ts';
import { parseDeprecations } from './deprecations.ts';
import { isAbout, withEntry, writeEntry } from './edit-deprecations.ts';
import type { Catalog } from './fbc.ts';
import type { CatalogLock, LockedVersion } from './lock.ts';
import { renderRecorded } from './release.ts';
import type { CatalogState } from './release.ts';
import { parseReleaseVersion } from './version.ts';
import { misled, wayOut } from './way-out.ts';
import type { Misled } from './way-out.ts';

/** A deprecations file: what it says, and its name. */
export interface DeprecationsFile {
  readonly text: string;
  readonly file: string;
}

/** Which version clusters shall leave, and why. */
export interface Withdrawal {
  readonly version: string;
  readonly reason: string;
}

/** A reason has to fit into a condition of a ClusterExtension that people read in a terminal. */
const REASON_LIMIT = 200;

/** Messages that are written here begin with this and end with the way out, which changes with later releases. */
const WITHDRAWN = 'Withdrawn: ';
const WAY_OUT = ' Way out: ';

/**
 * Deprecates a released version, with the reason and the way out. It stays in every channel, so clusters that run it can
 * install it again; OLM moves no other cluster to it. Returns the new text of the deprecations file, and what it says
 * about the version.
 */
export function withdrawVersion(
  state: CatalogState,
  deprecations: DeprecationsFile,
  { version, reason }: Withdrawal,
): { readonly text: string; readonly message: string } {
  const { text, file } = deprecations;
  const locked = findReleased(state.lock, version);
  refuse([...(locked === undefined ? [unreleased(state, version)] : []), ...reasonProblems(reason, file)]);
  const bundle = locked?.bundle.name ?? '';
  const read = parseDeprecations(text, file);
  const present = read ?? { schema: 'olm.deprecations', package: state.lock.package, entries: [] };
  const earlier = present.entries.find((entry) => isAbout(entry, bundle))?.message;
  if (earlier !== undefined && reasonOf(earlier) !== sentence(reason)) {
    const message = `differs from the reason for which ${version} is withdrawn already: ${reasonOf(earlier)}`;
    const remedy = `To change the reason, edit it in ${file}.`;
    throw new ProblemsError([{ object: file, path: 'REASON', value: reason, message, remedy }]);
  }
  // The ways out of other versions may lead to this one, so all are written again.
  const before = renderRecorded(state, read);
  const withdrawn = withEntry(present, { bundle, message: earlier ?? `${WITHDRAWN}${sentence(reason)}` });
  const after = { ...before, deprecations: withdrawn };
  refuse(misled(before, after).map((each) => misledProblem(version, state.file, each)));
  const edited = writeWaysOut(text, file, after);
  const message = parseDeprecations(edited, file)?.entries.find((entry) => isAbout(entry, bundle))?.message ?? '';
  return { text: edited, message };
}

/** The deprecations file with the ways out that the catalog has now: a release may be a better one, or the first. */
export function refreshWaysOut(state: CatalogState, { text, file }: DeprecationsFile): string {
  const present = parseDeprecations(text, file);
  return present === undefined ? text : writeWaysOut(text, file, renderRecorded(state, present));
}

/** A version that clusters shall leave is not offered to more of them. */
export function withdrawnProblems(lock: CatalogLock, version: string, { text, file }: DeprecationsFile): Problem[] {
  const bundle = findReleased(lock, version)?.bundle.name;
  const entry = parseDeprecations(text, file)?.entries.find((each) => bundle !== undefined && isAbout(each, bundle));
  if (entry === undefined) return [];
  const remedy = 'Offer one that is not deprecated.';
  return [{ object: file, path: 'VERSION', value: version, message: `is deprecated: ${entry.message}`, remedy }];
}

function writeWaysOut(text: string, file: string, catalog: Catalog): string {
  return (catalog.deprecations?.entries ?? []).reduce((edited, { reference: { schema, name = '' }, message }) => {
    if (schema !== 'olm.bundle' || !message.startsWith(WITHDRAWN)) return edited;
    const now = `${WITHDRAWN}${reasonOf(message)}${WAY_OUT}${wayOut(catalog, name)}.`;
    return writeEntry(edited, catalog.package.name, { bundle: name, message: now }, file);
  }, text);
}

/** The reason in a message that was written here; a message of somebody else is its own reason. */
function reasonOf(message: string): string {
  if (!message.startsWith(WITHDRAWN)) return sentence(message);
  const end = message.lastIndexOf(WAY_OUT);
  return message.slice(WITHDRAWN.length, end === -1 ? undefined : end);
}

function sentence(reason: string): string {
  const text = reason.trim();
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function findReleased({ versions }: CatalogLock, version: string): LockedVersion | undefined {
  const wanted = parseReleaseVersion(version)?.raw;
  return versions.find((locked) => locked.version === wanted);
}

function unreleased({ lock, file }: CatalogState, version: string): Problem {
  const where = { object: file, path: 'VERSION', value: version };
  if (parseReleaseVersion(version) === undefined) {
    return { ...where, message: 'is not a semantic version', remedy: 'Use a version such as v1.2.3 or v1.3.0-rc.1.' };
  }
  const known = lock.versions.map((locked) => locked.version).join(', ');
  const remedy = known === '' ? 'Nothing is released yet: use `fleet catalog add`.' : `Released versions: ${known}.`;
  return { ...where, message: 'is not released', remedy };
}

function reasonProblems(reason: string, file: string): Problem[] {
  const where = { object: file, path: 'REASON', value: reason };
  const remedy = 'Say in one sentence what is wrong with the version: REASON="It loses requests under load."';
  const text = reason.trim();
  if (text === '') return [{ ...where, message: 'must not be empty', remedy }];
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text)) return [{ ...where, message: 'must be one line', remedy }];
  if (text.length <= REASON_LIMIT) return [];
  return [{ ...where, message: `must have at most ${REASON_LIMIT} characters, and has ${text.length}`, remedy }];
}

function misledProblem(version: string, object: string, { channel, from, to }: Misled): Problem {
  return {
    object,
    path: 'VERSION',
    value: version,
    message: `cannot be withdrawn yet: OLM would move clusters that follow ${channel} from ${from} to ${to}, which is withdrawn, too`,
    remedy: `Release a version that they can go to from ${from} first.`,
  };
}
