import { mirroredImages } from '../../cluster/mirror/mirror.ts';
import { checkout } from '../../cluster/tools/places.ts';
import { parseManifest } from '../../components/olm/manifest.ts';
import type { OlmV1Args } from '../../components/olm/olm-v1.ts';
import { readManifest, type ManifestText } from '../../components/olm/source.ts';
import { pinImage } from '../../components/registry/pin-image.ts';
import { formatProblem, refuse } from '../../controller/src/problem.ts';
import type { LiveState } from '../cluster/live-state.ts';
import type { Target } from '../cluster/target.ts';
import type { Settings } from '../config/schema.ts';
import { settingPath } from '../config/setting-path.ts';
import { isUrl } from '../paths.ts';
import { withRegistry } from '../registry.ts';
import { pinOlmImages, type OlmImages } from './pin-images.ts';

export interface OlmRequest {
  readonly settings: Settings;
  readonly target: Target;
  readonly live: Pick<LiveState, 'olm'>;
  readonly preview: boolean;
  readonly warn: (message: string) => void;
  readonly now: Date;
}

/** What OLM is installed from, as the settings say; undefined where an existing one is used. */
export async function prepareOlm(request: OlmRequest): Promise<OlmV1Args | undefined> {
  const { settings, target, live, now } = request;
  const { olm } = settings;
  if (olm.mode === 'existing') return undefined;
  const location = isUrl(olm.manifest) ? olm.manifest : settingPath(checkout, olm.manifest);
  const manifest = await readManifest(location, olm.version, olm.manifestSha256);
  return {
    version: olm.version,
    now,
    manifest,
    certificates: olm.certificates,
    images: settings.requireDigests ? await pinned(request, manifest) : chosenImages(settings),
    replicas: olm.replicas,
    existing: live.olm,
    adopt: olm.mode === 'adopt',
    ...(olm.resources === undefined ? {} : { resources: definedOnly(olm.resources) }),
    ...(settings.proxy === undefined ? {} : { proxy: definedOnly(settings.proxy) }),
    ...(target.registryCa === undefined ? {} : { registryCa: target.registryCa }),
    ...(settings.pullSecret === undefined ? {} : { pullSecret: settings.pullSecret }),
  };
}

/** A preview without the registry goes on with tags and says so; nothing is installed by a tag. */
async function pinned({ settings, target, preview, warn }: OlmRequest, manifest: ManifestText): Promise<OlmImages> {
  const objects = parseManifest(manifest.text, manifest.source);
  const { images, problems } = await withRegistry(settings, target, (client) =>
    pinOlmImages(chosenImages(settings), objects, (image) => pinImage(client, image)),
  );
  if (preview) for (const problem of problems) warn(formatProblem(problem));
  else refuse(problems);
  return images;
}

/** The embedded cluster has images of its own; what the settings name comes first. */
function chosenImages({ cluster, olm }: Settings): OlmImages {
  const own = cluster === 'embedded' ? mirroredImages() : {};
  return definedOnly({
    catalogd: olm.images.catalogd ?? own.catalogd,
    operatorController: olm.images.operatorController ?? own['operator-controller'],
  });
}

/** The same object without what is undefined, which is not the same as absent to whoever reads it. */
function definedOnly<T extends object>(object: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const entries = Object.entries(object).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], undefined> };
}
