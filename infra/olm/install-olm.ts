import type * as pulumi from '@pulumi/pulumi';
import { resolve } from 'node:path';
import { mirroredImages } from '../../cluster/mirror/mirror.ts';
import { checkout } from '../../cluster/tools/places.ts';
import { OlmV1, type OlmV1Args } from '../../components/olm/olm-v1.ts';
import { readManifest } from '../../components/olm/source.ts';
import type { Target } from '../cluster/target.ts';
import type { Settings } from '../config/schema.ts';
import { isUrl } from '../paths.ts';

/** Installs OLM as the settings say; undefined where an existing one is used. */
export async function installOlm(
  settings: Settings,
  target: Target,
  opts: pulumi.ComponentResourceOptions,
): Promise<OlmV1 | undefined> {
  const { olm } = settings;
  if (olm.mode === 'existing') return undefined;
  const location = isUrl(olm.manifest) ? olm.manifest : resolve(checkout, olm.manifest);
  const args: OlmV1Args = {
    version: olm.version,
    manifest: await readManifest(location, olm.version, olm.manifestSha256),
    certificates: olm.certificates,
    images: olmImages(settings),
    replicas: olm.replicas,
    adopt: olm.mode === 'adopt',
    ...(olm.resources === undefined ? {} : { resources: definedOnly(olm.resources) }),
    ...(settings.proxy === undefined ? {} : { proxy: definedOnly(settings.proxy) }),
    ...(target.registryCa === undefined ? {} : { registryCa: target.registryCa }),
    ...(settings.pullSecret === undefined ? {} : { pullSecret: settings.pullSecret }),
  };
  return new OlmV1('olm', args, opts);
}

/** The embedded cluster has images of its own; what the settings name comes first. */
function olmImages({ cluster, olm }: Settings): NonNullable<OlmV1Args['images']> {
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
