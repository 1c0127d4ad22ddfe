import { join } from 'node:path';
import type { SemVer } from 'semver';
import { readDefinitions } from '../../components/api/definitions.ts';
import { checkout } from '../../packages/lib/checkout.ts';
import type { Io } from '../io.ts';
import { askMetrics, askStacks, served } from './ask.ts';
import { compare } from './compare.ts';
import { readCorpus } from './corpus.ts';
import type { Finding } from './finding.ts';
import { askedRights } from './rights.ts';
import { parseSurface, surfaceFile, type Surface } from './surface.ts';

/** What users of this checkout's version would rely on. */
export async function currentSurface(version: SemVer, io: Io): Promise<Surface> {
  return {
    version: version.version,
    definitions: await readDefinitions(true),
    rights: askedRights(version.major),
    metrics: await askMetrics(),
    stacks: await askStacks(await readCorpus(io), version),
  };
}

/** Everything that differs between a release and this checkout, as the next version. */
export async function compareWithRelease(previous: SemVer, version: SemVer, io: Io): Promise<Finding[]> {
  const file = surfaceFile(previous.version);
  const before = parseSurface(await io.read(join(checkout, file)), file);
  return compare(before, {
    definitions: await readDefinitions(true),
    // Names of a major are in the rights; another major is not another right.
    rights: askedRights(previous.major),
    metrics: await askMetrics(),
    running: await askStacks(before.stacks.map(served), version),
    fresh: await askStacks(
      before.stacks.map(({ name, stack }) => ({ name, stack })),
      version,
    ),
  });
}

/** A finding as a person reads it. */
export function findingLine({ effect, object, path, message }: Finding): string {
  return `${effect}: ${[object, path].filter((part) => part !== '').join(': ')}: ${message}`;
}
