import { Release } from '../release/release.ts';
import type { ReleaseOptions } from '../release/settings.ts';
import type { Io } from '../io.ts';
import { withRegistry } from '../registry-options.ts';

/** Releases this checkout as a version. Run again, it goes on where it was killed, and ends the same. */
export async function run(options: ReleaseOptions, io: Io): Promise<number> {
  await withRegistry(options, io, (client) => new Release(options, client, io).run());
  return 0;
}
