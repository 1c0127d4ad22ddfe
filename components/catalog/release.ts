import type { SemVer } from 'semver';
import { ProblemsError, refuse } from '../../packages/lib/problem.ts';
import type { Problem } from '../../packages/lib/problem.ts';
import { templateProblems } from './append-only.ts';
import { insertImage } from './edit-template.ts';
import { bundleVersion } from './fbc.ts';
import type { Catalog, FbcBundle, FbcDeprecations } from './fbc.ts';
import { lockedBundles, pinBundle } from './lock.ts';
import type { CatalogLock, LockedVersion } from './lock.ts';
import { renderCatalog } from './render.ts';
import { parseTemplate, STREAMS } from './template.ts';
import type { SemverTemplate, Stream } from './template.ts';
import { compareVersions, parseVersion, precedence } from './version.ts';

/** A catalog as it stands in the repository: what people edit, and what was released. */
export interface CatalogState {
  /** The template's text. */
  readonly template: string;
  readonly file: string;
  readonly lock: CatalogLock;
}

/** The same, with the template read. */
export type ReadCatalogState = Omit<CatalogState, 'template'> & { readonly template: SemverTemplate };

/** The catalog of everything released, from the lock alone. Throws when the template contradicts it. */
export function renderReleased(state: CatalogState, deprecations?: FbcDeprecations): Catalog {
  return renderLocked({ ...state, template: parseTemplate(state.template, state.file) }, deprecations);
}

/** The same, for callers that have read the template already. */
export function renderLocked({ template, file, lock }: ReadCatalogState, deprecations?: FbcDeprecations): Catalog {
  refuse(templateProblems(template, lock, file));
  return renderCatalog({
    template,
    file,
    bundles: lockedBundles(lock),
    deprecations,
  });
}

/**
 * The same, while somebody is recording versions that were written into the template by hand. Images that are listed but not
 * recorded are left out: each takes a command of its own, and one of them comes first.
 */
export function renderRecorded(state: CatalogState, deprecations?: FbcDeprecations): Catalog {
  const template = parseTemplate(state.template, state.file);
  const recorded = (stream: Stream): readonly string[] =>
    template.images[stream].filter((image) =>
      state.lock.versions.some((locked) => locked.image === image && locked.streams.includes(stream)),
    );
  const images = { Candidate: recorded('Candidate'), Fast: recorded('Fast'), Stable: recorded('Stable') };
  return renderLocked({ ...state, template: { ...template, images } }, deprecations);
}

/** What is released, and to which streams. */
interface Release {
  readonly image: string;
  readonly digest: string;
  readonly bundle: FbcBundle;
  readonly streams: readonly Stream[];
}

/** Releases a version, or the released one to more streams: adds its image to the template and records it in the lock. */
export function addVersion(state: CatalogState, release: Release): CatalogState {
  refuse(releaseProblems(state, release));
  const { image, digest, bundle } = release;
  const version = bundleVersion(bundle)?.raw ?? '';
  const earlier = state.lock.versions.find((locked) => locked.version === version);
  const streams = sortStreams([...(earlier?.streams ?? []), ...release.streams]);
  const locked = { ...(earlier ?? { version, image, digest, bundle: pinBundle(bundle, digest) }), streams };
  const versions = [...state.lock.versions.filter((other) => other !== earlier), locked].sort(byVersion);
  return checked({
    ...state,
    template: locked.streams.reduce((text, stream) => insertImage(text, stream, image, state.file), state.template),
    lock: { package: state.lock.package, versions },
  });
}

/** Moves a version on to the next stream. It also stays in its earlier streams, since somebody may follow them. */
export function promoteVersion(state: CatalogState, version: string): { state: CatalogState; stream: Stream } {
  const locked = state.lock.versions.find((candidate) => candidate.version === version.replace(/^v/, ''));
  if (locked === undefined) {
    const known = state.lock.versions.map((candidate) => candidate.version).join(', ');
    const remedy = known === '' ? 'Nothing is released yet: use `fleet catalog add`.' : `Released versions: ${known}.`;
    throw new ProblemsError([
      { object: state.file, path: 'VERSION', value: version, message: 'is not released', remedy },
    ]);
  }
  const highest = Math.max(...locked.streams.map((stream) => STREAMS.indexOf(stream)));
  const next = STREAMS[highest + 1];
  if (next === undefined) {
    throw new ProblemsError([{ object: state.file, path: 'VERSION', value: version, message: 'is already in Stable' }]);
  }
  const promoted = { ...locked, streams: sortStreams([...locked.streams, next]) };
  const versions = state.lock.versions.map((candidate) => (candidate === locked ? promoted : candidate));
  const template = insertImage(state.template, next, locked.image, state.file);
  return { state: checked({ ...state, template, lock: { ...state.lock, versions } }), stream: next };
}

function releaseProblems({ lock, file }: CatalogState, { image, digest, bundle, streams }: Release): Problem[] {
  const where = { object: file, path: 'VERSION', value: image };
  const version = bundleVersion(bundle);
  if (version === undefined) return [{ ...where, message: `is bundle ${bundle.name}, which has no semantic version` }];
  if (bundle.package !== lock.package) {
    return [{ ...where, message: `belongs to package ${bundle.package}, not to ${lock.package}` }];
  }
  const same = lock.versions.find((locked) => {
    const other = parseVersion(locked.version);
    return other !== undefined && precedence(other) === precedence(version);
  });
  const isThatOne = same?.version === version.raw && same.image === image && same.digest === digest;
  if (isThatOne && streams.some((stream) => !same.streams.includes(stream))) return [];
  const why = whyNot(version, same);
  if (why === undefined) return [];
  return [{ ...where, message: `version ${version.raw} ${why}`, remedy: 'Release a new patch version instead.' }];
}

function whyNot(version: SemVer, same: LockedVersion | undefined): string | undefined {
  if (same?.version === version.raw) return 'is already released';
  if (same !== undefined) return `differs only in build metadata from the released ${same.version}`;
  return version.build.length > 0 ? 'has build metadata, which catalogs cannot order versions by' : undefined;
}

/** Returns a state whose recorded versions can be published; throws otherwise, so that nothing is written. */
function checked(state: CatalogState): CatalogState {
  renderRecorded(state);
  return state;
}

function sortStreams(streams: readonly Stream[]): Stream[] {
  return STREAMS.filter((stream) => streams.includes(stream));
}

function byVersion(a: LockedVersion, b: LockedVersion): number {
  const [left, right] = [parseVersion(a.version), parseVersion(b.version)];
  return left === undefined || right === undefined ? 0 : compareVersions(left, right);
}
