import { bundleVersion } from '../../../components/catalog/fbc.ts';
import { addVersion } from '../../../components/catalog/release.ts';
import { pullBundle } from '../../../components/catalog/pull-bundles.ts';
import { withdrawnProblems } from '../../../components/catalog/withdraw.ts';
import type { Stream } from '../../../components/catalog/template.ts';
import { refuse } from '../../../packages/lib/problem.ts';
import type { Io } from '../../io.ts';
import { type RegistryOptions, withRegistry } from '../../registry-options.ts';
import { bundleImage } from '../../publish-target.ts';
import { type DeprecationOptions, readState, type StateOptions, writeRelease } from './files.ts';

/** The options of `fleet catalog add`. */
export interface CatalogAddOptions extends StateOptions, DeprecationOptions, RegistryOptions {
  /** The bundle by its name, or by the version that it is named after. */
  readonly bundle: { readonly image: string } | { readonly version: string };
  readonly channels: readonly Stream[];
}

/** Releases a version: its digest and content are recorded, and never change after that. */
export async function run(options: CatalogAddOptions, io: Io): Promise<number> {
  const { file, lock, channels: streams } = options;
  const image = 'image' in options.bundle ? options.bundle.image : bundleImage(options.bundle.version, io.env);
  const state = await readState(io, file, lock);
  const { bundle, digest } = await withRegistry(options, io, (client) => pullBundle(client, image));
  const added = addVersion(state, { image, digest, bundle, streams });
  const deprecations = { text: await io.read(options.deprecations), file: options.deprecations };
  refuse(withdrawnProblems(added.lock, bundleVersion(bundle)?.raw ?? '', deprecations));
  const files = await writeRelease(added, options, io);
  io.out(`${bundle.name} is released to ${streams.join(', ')} as ${digest}.\n`);
  io.out(`Commit ${files}, then run make catalog-build-push.\n`);
  return 0;
}
