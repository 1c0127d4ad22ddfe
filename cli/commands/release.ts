import type { Part } from '../../components/catalog/parts.ts';
import { parseReleaseVersion } from '../../components/catalog/version.ts';
import { releasePart } from '../release/part.ts';
import { Release } from '../release/release.ts';
import type { ReleaseOptions } from '../release/settings.ts';
import type { Io } from '../io.ts';
import { withRegistry } from '../registry-options.ts';

/** The options of `fleet release`. */
export interface ReleaseCommandOptions extends Omit<ReleaseOptions, 'operatorOnly'> {
  readonly only?: 'controller' | Part | undefined;
}

/** Releases this checkout, or a part of it, as a version. Run again, it goes on where it was killed, and ends the same. */
export async function run({ only, ...options }: ReleaseCommandOptions, io: Io): Promise<number> {
  const version = parseReleaseVersion(options.version);
  if (version === undefined) throw new RangeError(`${options.version} is not a version`);
  await withRegistry(options, io, (client) => {
    if (only !== undefined && only !== 'controller') return releasePart(only, version, options, client, io);
    return new Release({ ...options, operatorOnly: only === 'controller' }, version, client, io).run();
  });
  return 0;
}
