import { buildBundle } from '../../../components/bundle/bundle.ts';
import { UNBUILT } from '../../../components/images/checkout-content.ts';
import { CHECKOUT_TAG, checkoutBundleTag } from '../../../components/images/checkout-tag.ts';
import { publishBundle, publishController } from '../../../components/images/publish.ts';
import { releasedProblems } from '../../../components/catalog/append-only.ts';
import { refuse } from '../../../packages/lib/problem.ts';
import type { Io } from '../../io.ts';
import { LOCK } from '../catalog/committed.ts';
import { readState } from '../catalog/files.ts';
import { baseImage, publishSettings } from '../../publish-target.ts';

/** The options of `fleet bundle push`. */
export interface BundlePushOptions {
  readonly version: string;
  readonly crdVersion: string;
  readonly dev?: boolean | undefined;
}

/** Publishes an operator version: first the controller, then the bundle that names it by digest. What the bundle is refused for is known before. */
export async function run({ version: given, crdVersion, dev = false }: BundlePushOptions, io: Io): Promise<number> {
  const version = given.replace(/^v/, '');
  if (!dev) refuse(releasedProblems((await readState(io)).lock, version, LOCK));
  const settings = publishSettings(io.env, dev);
  buildBundle({ version, crdVersion, controllerImage: UNBUILT, created: settings.source.created });
  const base = await baseImage(io.env, dev);
  const controllerImage = await publishController(settings, {
    context: 'controller',
    baseImage: base,
    tag: dev ? CHECKOUT_TAG : version,
  });
  io.out(`controller  ${controllerImage}\n`);
  const request = { version, crdVersion, controllerImage };
  const { image } = await publishBundle(settings, dev ? { ...request, tag: checkoutBundleTag(version) } : request);
  io.out(`bundle      ${image}\n`);
  return 0;
}
