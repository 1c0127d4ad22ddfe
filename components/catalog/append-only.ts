import { isDeepStrictEqual } from 'node:util';
import type { Problem } from '../../packages/lib/problem.ts';
import { parseReference } from '../registry/reference.ts';
import type { CatalogLock, LockedVersion } from './lock.ts';
import { STREAMS, templateImages } from './template.ts';
import type { SemverTemplate } from './template.ts';

const RELIED_ON = 'clusters may rely on it';

/** Where a template contradicts the releases: no version may disappear, change or appear unrecorded. */
export function templateProblems(template: SemverTemplate, lock: CatalogLock, file: string): Problem[] {
  return [
    ...lock.versions.flatMap((locked) => missingFrom(template, locked, file)),
    ...unrecorded(template, lock, file),
  ];
}

/** Where a lock contradicts an earlier state of itself. */
export function lockProblems(before: CatalogLock, after: CatalogLock, file: string): Problem[] {
  const now = new Map(after.versions.map((locked) => [locked.version, locked]));
  const renamed =
    before.package === after.package || before.versions.length === 0
      ? []
      : [
          {
            object: file,
            path: 'package',
            value: after.package,
            message: `was ${before.package} when versions were released`,
          },
        ];
  return before.versions.reduce<Problem[]>((problems, earlier) => {
    const path = `versions.${earlier.version}`;
    const later = now.get(earlier.version);
    const remedy = `Restore its entry, e.g. with git checkout of ${file}.`;
    if (later === undefined) {
      return [...problems, { object: file, path, message: `was released and is gone, but ${RELIED_ON}`, remedy }];
    }
    const changed = (['image', 'digest', 'bundle'] as const).filter(
      (key) => !isDeepStrictEqual(earlier[key], later[key]),
    );
    const left = earlier.streams.filter((stream) => !later.streams.includes(stream));
    return [
      ...problems,
      ...changed.map((key) => {
        const message = `was released with a different ${key}, and ${RELIED_ON}`;
        return { object: file, path: `${path}.${key}`, value: later[key], message, remedy };
      }),
      ...left.map((stream) => ({
        object: file,
        path: `${path}.streams`,
        message: `has left ${stream}, but ${RELIED_ON}`,
        remedy,
      })),
    ];
  }, renamed);
}

/** A version that is about to be pushed although it was released: its tag would mean something else from then on. */
export function releasedProblems(lock: CatalogLock, version: string, file: string): Problem[] {
  return lock.versions
    .filter((locked) => locked.version === version)
    .map(({ image }) => ({
      object: file,
      path: `versions.${version}`,
      value: image,
      message: 'is already released, so nothing else may be pushed under its tag',
      remedy: 'Release a new patch version instead.',
    }));
}

/** A locked version whose tag now has another digest: somebody pushed over a release. */
export function retaggedProblem({ version, image, digest }: LockedVersion, found: string, file: string): Problem {
  return {
    object: file,
    path: `versions.${version}`,
    value: image,
    message: `was released as ${digest}, but the registry now has ${found} under that name`,
    remedy: 'Push the released image again under its tag, and give the new content a new version.',
  };
}

function missingFrom(template: SemverTemplate, { version, image, streams }: LockedVersion, file: string): Problem[] {
  return streams
    .filter((stream) => !template.images[stream].includes(image))
    .map((stream) => ({
      object: file,
      path: `${stream}.Bundles`,
      message: `version ${version} was released to ${stream} and is no longer listed there, but ${RELIED_ON}`,
      remedy: `Put back: - Image: ${image}`,
    }));
}

/** Images that are listed beyond what is recorded, each once, with the one command that records all of it. */
function unrecorded(template: SemverTemplate, lock: CatalogLock, file: string): Problem[] {
  return templateImages(template).flatMap((image) => {
    const locked = lock.versions.find((candidate) => candidate.image === image);
    const streams = STREAMS.filter(
      (stream) => template.images[stream].includes(image) && locked?.streams.includes(stream) !== true,
    );
    const [stream] = streams;
    if (stream === undefined) return [];
    const path = `${stream}.Bundles[${template.images[stream].indexOf(image)}].Image`;
    const where = { object: file, path, value: image };
    const tag = parseReference(image)?.tag ?? '';
    const renamed = lock.versions.find(({ version }) => version === tag.replace(/^v/, ''));
    if (locked === undefined && renamed !== undefined) {
      const message = `lists another image for version ${renamed.version}, which was released as ${renamed.image}`;
      return [{ ...where, message, remedy: `Put back: - Image: ${renamed.image}` }];
    }
    const message = `is not recorded as released${locked === undefined ? '' : ` to ${streams.join(', ')}`}`;
    const command = `fleet catalog add --image ${image} --channels ${streams.join(',').toLowerCase()}`;
    return [{ ...where, message, remedy: `Record it with \`${command}\`.` }];
  });
}
