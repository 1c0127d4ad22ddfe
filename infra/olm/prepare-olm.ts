import { checkManifestVersion } from '../../components/olm/extension-api.ts';
import type { ManifestObject } from '../../components/olm/manifest.ts';
import type { OlmV1Args } from '../../components/olm/olm-v1.ts';
import type { ChosenPlacement } from '../../components/olm/placement.ts';
import { isUrl, readManifest } from '../../components/olm/source.ts';
import { pinImage } from '../../components/registry/pin-image.ts';
import { formatProblem, refuse } from '../../packages/lib/problem.ts';
import type { LiveState } from '../cluster/live-state.ts';
import { inSettings, refusedInSettings } from '../config/in-settings.ts';
import { settingPath } from '../config/setting-path.ts';
import { definedOnly } from '../../packages/lib/values.ts';
import type { Environment } from '../environment.ts';
import type { Log } from '../log.ts';
import { withRegistry } from '../registry.ts';
import { pinOlmImages, type OlmImages } from './pin-images.ts';

export interface OlmRequest extends Environment {
  /** As the settings have it. */
  readonly placement: ChosenPlacement;
  readonly live: Pick<LiveState, 'olm' | 'controlPlane'>;
  readonly preview: boolean;
  readonly log: Log;
  readonly now: Date;
}

/** What OLM is installed from, as the settings say; undefined where an existing one is used. */
export async function prepareOlm(request: OlmRequest): Promise<OlmV1Args | undefined> {
  const { settings, cluster, checkout, placement, live, now } = request;
  const { olm } = settings;
  if (olm.mode === 'existing') return undefined;
  const location = isUrl(olm.manifest) ? olm.manifest : settingPath(checkout, olm.manifest);
  const manifest = await refusedInSettings('olm', () => readManifest(location, olm.version, olm.manifestSha256));
  refuse(inSettings('olm', checkManifestVersion(manifest, olm.version)));
  return {
    version: olm.version,
    now,
    manifest,
    certificates: olm.certificates,
    images: settings.requireDigests ? await pinned(request, manifest.objects) : chosenImages(request),
    placement,
    replicas: olm.replicas,
    existing: live.olm,
    controlPlane: live.controlPlane,
    adopt: olm.mode === 'adopt',
    ...(olm.resources === undefined ? {} : { resources: definedOnly(olm.resources) }),
    ...(settings.proxy === undefined ? {} : { proxy: definedOnly(settings.proxy) }),
    ...(cluster.registryCa === undefined ? {} : { registryCa: cluster.registryCa }),
    registryMirrors: settings.registryMirrors,
    ...(settings.pullSecret === undefined ? {} : { pullSecret: settings.pullSecret }),
  };
}

/** A preview without the registry goes on with tags and says so; nothing is installed by a tag. */
async function pinned(request: OlmRequest, objects: readonly ManifestObject[]): Promise<OlmImages> {
  const { preview, log } = request;
  const { images, problems } = await withRegistry(request, (client) =>
    pinOlmImages(chosenImages(request), objects, (image) => pinImage(client, image)),
  );
  if (preview) for (const problem of problems) log.warn(formatProblem(problem));
  else refuse(problems);
  return images;
}

/** A cluster may have images of its own; what the settings name comes first. */
function chosenImages({ settings: { olm }, cluster: { images } }: Environment): OlmImages {
  return definedOnly({
    catalogd: olm.images.catalogd ?? images.catalogd,
    operatorController: olm.images.operatorController ?? images.operatorController,
  });
}
