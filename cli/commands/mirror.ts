import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parsePlace, RegistryTarget, type MirrorPlace } from '../../components/mirror/registry-target.ts';
import { TarSource } from '../../components/mirror/tar-source.ts';
import { TarTarget } from '../../components/mirror/tar-target.ts';
import { parseManifest } from '../../components/olm/manifest.ts';
import { pinImage } from '../../components/registry/pin-image.ts';
import { byDigest, formatReference } from '../../components/registry/reference.ts';
import { RegistryClient } from '../../components/registry/registry-client.ts';
import { RegistryWriter } from '../../components/registry/registry-writer.ts';
import { readPublicKey } from '../../components/signatures/public-key.ts';
import { verifyImage, type Signed } from '../../components/signatures/verify.ts';
import { readManifestText } from '../../components/olm/source.ts';
import type { OpenEngine } from '../../packages/api/types.ts';
import { ProblemsError, type Problem } from '../../packages/lib/problem.ts';
import type { Io } from '../io.ts';
import { copyAll } from '../mirror/copy-all.ts';
import { mirrorContents, type Role, type WantedImage } from '../mirror/contents.ts';
import { mirrorFiles, type Mirrored, type MirroredOlm } from '../mirror/settings.ts';
import { readAuthorities, type RegistryOptions } from '../registry-options.ts';

/** The options of `fleet mirror`. */
export interface MirrorOptions extends RegistryOptions {
  readonly to: string;
  readonly from?: string | undefined;
  readonly catalogImage?: string | undefined;
  readonly verify?: string | undefined;
  readonly olmVersion: string;
  readonly olmManifest: string;
  readonly olm: boolean;
  readonly engine: readonly OpenEngine[];
  readonly image: readonly string[];
  readonly out: string;
}

/** What is copied, and from where. */
interface Origin {
  readonly images: readonly WantedImage[];
  readonly source: RegistryClient | TarSource;
  readonly olm: MirroredOlm | undefined;
}

/** The version becomes part of the name of a file: an archive may come from anybody. */
const OLM_FILE = /^olm-v(v?\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]+)?)\.yaml$/;

/** Copies all that a fleet needs to a registry or an archive, and writes the settings that use the copies. */
export async function run(options: MirrorOptions, io: Io): Promise<number> {
  const place = targetOf(options);
  const http = {
    plainHttp: options.plainHttp ?? false,
    ...(options.ca === undefined ? {} : { ca: await readAuthorities(options.ca, io) }),
  };
  const origin =
    options.from === undefined ? await fromRegistries(options, http, io) : await fromArchive(options.from, options, io);
  try {
    await (place === undefined ? toArchive(options, origin, io) : toRegistry(options, place, origin, http, io));
  } finally {
    await origin.source.close();
  }
  return 0;
}

/** Undefined for an archive. */
function targetOf({ to, from, catalogImage }: MirrorOptions): MirrorPlace | undefined {
  if (from === undefined && catalogImage === undefined) {
    throw problem({
      path: '--catalog-image',
      message: 'is missing',
      remedy: 'Name the catalog image, or an archive with --from.',
    });
  }
  if (!to.endsWith('.tar')) {
    const place = parsePlace(to);
    if (place !== undefined) return place;
    const remedy =
      'Write a registry with an optional path, such as registry.example.com/mirror, or a file that ends in .tar.';
    throw problem({ path: '--to', value: to, message: 'is neither a registry nor an archive', remedy });
  }
  if (from === undefined) return undefined;
  throw problem({ path: '--to', value: to, message: 'is an archive, and so is --from', remedy: 'Copy the file.' });
}

async function fromRegistries(options: MirrorOptions, http: object, io: Io): Promise<Origin> {
  const source = new RegistryClient(http);
  try {
    const catalog = await pinImage(source, options.catalogImage ?? '');
    await verifyCatalog(source, catalog, options, io);
    const { olmVersion: version, olmManifest, engine: engines, image: others } = options;
    const olm = options.olm ? { version, manifest: await readManifestText(olmManifest, version) } : undefined;
    const manifest = olm && { objects: parseManifest(olm.manifest, olmManifest), source: olmManifest };
    return { source, olm, images: await mirrorContents(source, { catalog, olm: manifest, engines, others }) };
  } catch (error) {
    source.close();
    throw error;
  }
}

/** The key is written into the settings, so what they name has to be signed by it wherever it comes from. */
async function verifyCatalog(source: Signed, image: string, { verify }: MirrorOptions, io: Io): Promise<void> {
  if (verify === undefined) return;
  await verifyImage(source, image, readPublicKey(await io.read(verify), { object: verify, path: '--verify' }));
}

async function fromArchive(path: string, options: MirrorOptions, io: Io): Promise<Origin> {
  const source = await TarSource.open(path);
  try {
    const catalogs = source.images.filter(({ role }) => role === 'catalog');
    if (catalogs.length === 0) {
      const remedy = 'Name an archive that fleet mirror --to has written.';
      throw problem({ object: path, path: '--from', message: 'has no catalog, which settings would name', remedy });
    }
    for (const { reference } of catalogs) {
      const { digest } = await source.manifest(reference);
      await verifyCatalog(source, byDigest(reference, digest), options, io);
    }
    const images = source.images.flatMap(({ reference, role }) =>
      role === undefined ? [] : [{ name: formatReference(reference), role: role as Role }],
    );
    const [olm] = [...(await source.extra())].flatMap(([name, manifest]) => {
      const version = OLM_FILE.exec(name)?.[1];
      return version === undefined ? [] : [{ version, manifest }];
    });
    return { source, images, olm };
  } catch (error) {
    await source.close();
    throw error;
  }
}

async function toArchive({ to }: MirrorOptions, { source, images, olm }: Origin, io: Io): Promise<void> {
  const target = await TarTarget.open(to);
  try {
    await copyAll({ source, target }, images, outputOf(io), (...image) => target.name(...image));
    await target.finish(new Map(olm === undefined ? [] : [[`olm-v${olm.version}.yaml`, olm.manifest]]));
  } catch (error) {
    await target.close();
    throw error;
  }
  io.out(`${to} has ${images.length} images. Next: fleet mirror --from ${to} --to <registry>\n`);
}

async function toRegistry(
  options: MirrorOptions,
  place: MirrorPlace,
  origin: Origin,
  http: object,
  io: Io,
): Promise<void> {
  const { source, images, olm } = origin;
  const writer = new RegistryWriter(http);
  let mirrored: readonly Mirrored[];
  try {
    mirrored = await copyAll({ source, target: new RegistryTarget(place, writer) }, images, outputOf(io));
  } finally {
    writer.close();
  }
  const { out: folder, verify, plainHttp = false } = options;
  const files = mirrorFiles({ place, images: mirrored, olm, folder, verify, plainHttp });
  for (const [name, text] of files) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  io.out(`${options.to} has ${images.length} images. Settings that use them: ${join(folder, 'Pulumi.mirror.yaml')}\n`);
}

function outputOf(io: Io): { readonly isTTY: boolean; write(text: string): void } {
  return { isTTY: process.stderr.isTTY && io.env['CI'] === undefined, write: (text) => io.err(text) };
}

function problem(each: Problem): ProblemsError {
  return new ProblemsError([each]);
}
