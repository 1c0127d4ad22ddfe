import { addVersion } from '../../../components/catalog/release.ts';
import { pullBundle } from '../../../components/catalog/pull-bundles.ts';
import { STREAMS } from '../../../components/catalog/template.ts';
import type { Stream } from '../../../components/catalog/template.ts';
import { UsageError } from '../../command.ts';
import type { Io } from '../../io.ts';
import { parseOptions, required } from '../../options.ts';
import { REGISTRY_OPTIONS, REGISTRY_USAGE, withRegistry } from '../../registry-options.ts';
import { bundleImage } from '../../publish-target.ts';
import { readState, STATE_OPTIONS, STATE_USAGE, writeState } from './files.ts';

const USAGE = `Usage: fleet catalog add --version VERSION [--channels candidate,fast,stable]

  --version VERSION  e.g. v1.0.0, whose bundle IMAGE_TAG_BASE-bundle:1.0.0 is pushed
  --image IMAGE      its canonical name, where it is another
  --channels LIST    streams that get it; candidate unless told
${STATE_USAGE}
${REGISTRY_USAGE}`;

const OPTIONS = {
  version: { type: 'string' },
  image: { type: 'string' },
  channels: { type: 'string', default: 'candidate' },
  ...STATE_OPTIONS,
  ...REGISTRY_OPTIONS,
} as const;

/** Releases a version: its digest and content are recorded, and never change after that. */
export async function run(args: string[], io: Io): Promise<number> {
  const values = parseOptions(args, OPTIONS, USAGE);
  const image = values.image ?? bundleImage(required(values.version, 'version', USAGE), io.env);
  const streams = readStreams(values.channels);
  const state = await readState(io, values.file, values.lock);
  const { bundle, digest } = await withRegistry(values, io, (client) => pullBundle(client, image));
  await writeState(addVersion(state, { image, digest, bundle, streams }), values.lock);
  io.out(`${bundle.name} is released to ${streams.join(', ')} as ${digest}.\n`);
  io.out(`Commit ${values.file} and ${values.lock}, then run make catalog-build-push.\n`);
  return 0;
}

function readStreams(text: string): Stream[] {
  return text.split(',').map((word) => {
    const stream = STREAMS.find((known) => known.toLowerCase() === word.trim().toLowerCase());
    if (stream === undefined)
      throw new UsageError(`there is no channel "${word}", only candidate, fast and stable`, USAGE);
    return stream;
  });
}
