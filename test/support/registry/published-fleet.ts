import { buildBundle } from '../../../components/bundle/bundle.ts';
import { bundleToFbc } from '../../../components/catalog/registry-v1.ts';
import { renderCatalog } from '../../../components/catalog/render.ts';
import { parseTemplate } from '../../../components/catalog/template.ts';
import { catalogImageContent } from '../../../components/images/catalog-content.ts';
import { parseReference } from '../../../components/registry/reference.ts';
import { RegistryWriter } from '../../../components/registry/registry-writer.ts';
import { OLM_MANIFEST } from '../olm/olm-manifest.ts';
import { digestOf } from './memory-registry.ts';
import { pushImage, pushManifest, type PushOptions } from './push-image.ts';
import { signAsCosign, type TestKey } from './sign-image.ts';

/** What somebody has released to a registry on loopback: OLM, and a signed catalog with a bundle of an operator for two platforms. */
export interface PublishedFleet {
  readonly catalog: string;
  readonly bundle: string;
  readonly operator: string;
  /** Digest of the one layer of the operator for the first platform, and how large it is. */
  readonly layer: { readonly digest: string; readonly size: number };
  readonly olmManifest: string;
}

const INDEX = 'application/vnd.oci.image.index.v1+json';
const MANIFEST = 'application/vnd.oci.image.manifest.v1+json';

export async function publishFleet(
  host: string,
  key: TestKey,
  layerBytes = 100_000,
  options: PushOptions = {},
): Promise<PublishedFleet> {
  const content = Buffer.alloc(layerBytes, 'layer of the operator ');
  const operator = await pushIndex(`${host}/fleet/operator`, '1.0.0', content, options);
  const bundle = buildBundle({
    version: '1.0.0',
    crdVersion: 'v1beta1',
    controllerImage: operator,
    created: new Date(0),
  });
  const bundleName = `${host}/fleet/operator-bundle`;
  const bundleImage = `${bundleName}@${await pushImage(`${bundleName}:1.0.0`, bundle, options)}`;
  const template = `Schema: olm.semver\nGenerateMajorChannels: true\nStable:\n  Bundles:\n    - Image: ${bundleImage}\n`;
  const rendered = renderCatalog({
    template: parseTemplate(template, 'template.yaml'),
    file: 'template.yaml',
    bundles: new Map([[bundleImage, bundleToFbc(bundleImage, bundle.files)]]),
  });
  const name = `${host}/fleet/operator-catalog`;
  const catalog = `${name}@${await pushImage(`${name}:latest`, catalogImageContent(rendered), options)}`;
  await signAsCosign(catalog, key, options);
  await attach(catalog, 'att', 'an attestation of how it was built', options);
  for (const image of ['catalogd', 'operator-controller']) {
    await pushImage(`${host}/olm/${image}:v1`, { files: new Map([[image, image]]), labels: {} }, options);
  }
  const olmManifest = OLM_MANIFEST.replace(/image: \S*catalogd\S*/g, `image: ${host}/olm/catalogd:v1`).replace(
    /image: \S*operator-controller\S*/g,
    `image: ${host}/olm/operator-controller:v1`,
  );
  return {
    catalog,
    bundle: bundleImage,
    operator,
    layer: { digest: digestOf(content), size: content.length },
    olmManifest,
  };
}

/** An image for two platforms, the second of which has its own layer, with an attestation beside it as BuildKit writes it. */
async function pushIndex(name: string, tag: string, content: Buffer, options: PushOptions): Promise<string> {
  const base = baseOf(name, options);
  const layers = [content, Buffer.from('layer for arm64'), Buffer.from('attestation')];
  const architectures = ['amd64', 'arm64', 'unknown'];
  const manifests = await Promise.all(
    layers.map(async (layer, index) => {
      const config = Buffer.from(JSON.stringify({ architecture: architectures[index] }));
      const type = 'application/vnd.oci.image.layer.v1.tar';
      const digest = await pushManifest(base, `part-${String(index)}`, config, [{ type, content: layer }], options);
      const platform = { os: index === 2 ? 'unknown' : 'linux', architecture: architectures[index] };
      return { mediaType: MANIFEST, digest, size: 1, platform };
    }),
  );
  const index = Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType: INDEX, manifests }));
  await put(`${name}:${tag}`, INDEX, index, options);
  return `${name}@${digestOf(index)}`;
}

async function attach(image: string, kind: string, text: string, options: PushOptions): Promise<void> {
  const [name = '', digest = ''] = image.split('@');
  const layer = { type: 'application/vnd.dsse.envelope.v1+json', content: Buffer.from(text) };
  const tag = `${digest.replace(':', '-')}.${kind}`;
  await pushManifest(baseOf(name, options), tag, Buffer.from('{}'), [layer], options);
}

function baseOf(name: string, { ca }: PushOptions): string {
  return `${ca === undefined ? 'http' : 'https'}://${name.replace('/', '/v2/')}`;
}

async function put(name: string, type: string, content: Buffer, { ca }: PushOptions): Promise<void> {
  const reference = parseReference(name);
  if (reference === undefined) throw new Error(`${name} is not canonical`);
  const writer = new RegistryWriter({
    ...(ca === undefined ? { plainHttp: true } : { ca }),
    credentials: () => Promise.resolve(undefined),
  });
  try {
    await writer.putManifest(reference, type, content);
  } finally {
    writer.close();
  }
}
