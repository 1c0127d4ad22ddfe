import { createHash } from 'node:crypto';
import { placed, type MirrorPlace } from '../../components/mirror/registry-target.ts';
import { registriesConf, type RegistryMirror } from '../../components/olm/registry-mirrors.ts';
import { byDigest, repository, type ImageReference } from '../../components/registry/reference.ts';
import { writeYaml } from '../../packages/lib/write-yaml.ts';
import type { Role } from './contents.ts';

/** An image that has a copy. */
export interface Mirrored {
  readonly reference: ImageReference;
  readonly digest: string;
  readonly role: Role;
}

/** OLM's released manifest, as it was when the images were copied. */
export interface MirroredOlm {
  readonly version: string;
  readonly manifest: string;
}

export interface MirrorSettings {
  readonly place: MirrorPlace;
  readonly images: readonly Mirrored[];
  readonly olm: MirroredOlm | undefined;
  /** Where the files will be, as settings name them. */
  readonly folder: string;
  /** The file with the makers' public key, if it was used. */
  readonly verify: string | undefined;
  /** Whether the registry has no TLS. */
  readonly plainHttp: boolean;
}

const PREFIX = 'inference-stack-fleet:';
const HEADER = `# Settings that use the copies. Add kubeContext and operators, and what else the environment has; registryCa where the registry's authority
# is not one that systems trust.
`;

/** The files that lead an environment, OLM and nodes to the copies, by their names. */
export function mirrorFiles(settings: MirrorSettings): ReadonlyMap<string, string> {
  const { images, place, olm, plainHttp } = settings;
  const hosts = new Set(foreign(images).map(({ reference }) => reference.host));
  return new Map([
    ['Pulumi.mirror.yaml', HEADER + writeYaml({ config: environment(settings) })],
    ...(olm === undefined ? [] : [[olmFile(olm), olm.manifest] as const]),
    ['nodes/registries.conf', registriesConf(mirrorsOf(images, place))],
    ...[...hosts]
      .sort()
      .map((host) => [`nodes/${host}/hosts.toml`, hostsToml(host, place, plainHttp ? 'http' : 'https')] as const),
  ]);
}

function environment({ images, place, olm, folder, verify }: MirrorSettings): object {
  const copyOf = (role: Role): string | undefined => {
    const image = images.find((each) => each.role === role);
    return image && byDigest(placed(place, image.reference), image.digest);
  };
  return {
    [`${PREFIX}requireDigests`]: 'true',
    ...(olm === undefined
      ? {}
      : {
          [`${PREFIX}olm`]: {
            version: olm.version,
            manifest: `${folder}/${olmFile(olm)}`,
            manifestSha256: createHash('sha256').update(olm.manifest).digest('hex'),
            images: { catalogd: copyOf('catalogd'), operatorController: copyOf('operatorController') },
          },
        }),
    [`${PREFIX}catalog`]: { source: 'image', image: copyOf('catalog'), ...(verify === undefined ? {} : { verify }) },
    [`${PREFIX}registryMirrors`]: mirrorsOf(images, place),
  };
}

function olmFile({ version }: MirroredOlm): string {
  return `olm-v${version}.yaml`;
}

/** Repositories that others name at their first registry: catalogs their bundles, bundles their operators, stacks their engines. */
export function mirrorsOf(images: readonly Mirrored[], place: MirrorPlace): readonly RegistryMirror[] {
  const pairs = foreign(images).map(
    ({ reference }) => [repository(reference), repository(placed(place, reference))] as const,
  );
  return [...new Map(pairs)].sort(([a], [b]) => (a < b ? -1 : 1)).map(([source, mirror]) => ({ source, mirror }));
}

/** The settings name the copies of these themselves. */
function foreign(images: readonly Mirrored[]): readonly Mirrored[] {
  return images.filter(({ role }) => !['catalog', 'catalogd', 'operatorController'].includes(role));
}

/** What containerd reads below `config_path`. */
function hostsToml(host: string, place: MirrorPlace, scheme: string): string {
  const server = host === 'docker.io' ? 'registry-1.docker.io' : host;
  const below = place.path === '' ? '' : `/${place.path}`;
  return [
    `server = "https://${server}"`,
    '',
    `[host."${scheme}://${place.host}/v2${below}"]`,
    '  capabilities = ["pull", "resolve"]',
    '  override_path = true',
    '  # ca = "/etc/containerd/certs.d/mirror.crt"',
    '',
  ].join('\n');
}
