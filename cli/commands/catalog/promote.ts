import { promoteVersion } from '../../../components/catalog/release.ts';
import type { Io } from '../../io.ts';
import { parseOptions, required } from '../../options.ts';
import { readState, STATE_OPTIONS, STATE_USAGE, writeState } from './files.ts';

const USAGE = `Usage: fleet catalog promote --version VERSION

  --version VERSION  a released version, e.g. v1.0.0
${STATE_USAGE}`;

const OPTIONS = {
  version: { type: 'string' },
  ...STATE_OPTIONS,
} as const;

/** Moves a version on: from candidate to fast, from fast to stable. */
export async function run(args: string[], io: Io): Promise<number> {
  const values = parseOptions(args, OPTIONS, USAGE);
  const version = required(values.version, 'version', USAGE);
  const { state, stream } = promoteVersion(await readState(io, values.file, values.lock), version);
  await writeState(state, values.lock);
  io.out(
    `${version} is now in ${stream}. Commit ${values.file} and ${values.lock}, then run make catalog-build-push.\n`,
  );
  return 0;
}
