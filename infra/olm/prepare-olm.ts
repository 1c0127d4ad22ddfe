import { mirroredImages } from '../../cluster/mirror/mirror.ts';
import { checkout } from '../../packages/lib/checkout.ts';
import { parseManifest, type ManifestObject } from '../../components/olm/manifest.ts';
import type { OlmV1Args } from '../../components/olm/olm-v1.ts';
import { placeControllers } from '../../components/olm/placement.ts';
import { readManifest } from '../../components/olm/source.ts';
import { pinImage } from '../../components/registry/pin-image.ts';
import { formatProblem, refuse } from '../../packages/lib/problem.ts';
import type { LiveState } from '../cluster/live-state.ts';
import type { Target } from '../cluster/target.ts';
import type { Settings } from '../config/schema.ts';
import { settingPath } from '../config/setting-path.ts';
import { isUrl } from '../paths.ts';
import type { Log } from '../log.ts';
import { withRegistry } from '../registry.ts';
import { definedOnly } from '../defined-only.ts';
import { pinOlmImages, type OlmImages } from './pin-images.ts';
import { placementOf } from './placement.ts';

export interface OlmRequest {
  readonly settings: Settings;
  readonly target: Target;
  readonly live: Pick<LiveState, 'olm' | 'controlPlane'>;
  readonly preview: boolean;
  readonly log: Log;
  readonly now: Date;
}

/** What OLM is installed from, as the settings say; undefined where an existing one is used. */
export async function prepareOlm(request: OlmRequest): Promise<OlmV1Args | undefined> {
  const { settings, target, live, log, now } = request;
  const { olm } = settings;
  if (olm.mode === 'existing') return undefined;
  const location = isUrl(olm.manifest) ? olm.manifest : settingPath(checkout, olm.manifest);
  const { text, source } = await readManifest(location, olm.version, olm.manifestSha256);
  const objects = parseManifest(text, source);
  const { placement, note } = placeControllers(
    objects,
    placementOf(settings),
    live.controlPlane,
    live.olm?.nodeSelector,
  );
  if (note !== undefined) log.info(note);
  return {
    version: olm.version,
    now,
    manifest: { objects, source },
    certificates: olm.certificates,
    images: settings.requireDigests ? await pinned(request, objects) : chosenImages(settings),
    placement,
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
async function pinned(
  { settings, target, preview, log }: OlmRequest,
  objects: readonly ManifestObject[],
): Promise<OlmImages> {
  const { images, problems } = await withRegistry(settings, target, (client) =>
    pinOlmImages(chosenImages(settings), objects, (image) => pinImage(client, image)),
  );
  if (preview) for (const problem of problems) log.warn(formatProblem(problem));
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
