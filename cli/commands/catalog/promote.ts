import { promoteVersion } from '../../../components/catalog/release.ts';
import type { Io } from '../../io.ts';
import { parseOptions, required } from '../../options.ts';
import { LOCK, readState, TEMPLATE, writeState } from './files.ts';

const USAGE = `Usage: fleet catalog promote --version VERSION

  --version VERSION  a released version, e.g. v1.0.0
  -f, --file FILE    template (${TEMPLATE})
  --lock FILE        lock (${LOCK})`;

const OPTIONS = {
  version: { type: 'string' },
  file: { type: 'string', short: 'f', default: TEMPLATE },
  lock: { type: 'string', default: LOCK },
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
