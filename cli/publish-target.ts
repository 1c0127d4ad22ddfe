import { join, resolve } from 'node:path';
import { describeEmbeddedCluster, type EmbeddedClusterDescription } from '../cluster/embedded-cluster.ts';
import { updateMirror } from '../cluster/mirror/mirror.ts';
import { checkout } from '../packages/lib/checkout.ts';
import type { Attestations } from '../components/images/attestations.ts';
import type { PublishSettings } from '../components/images/publish.ts';
import { CATALOG_SOURCES, OPERATOR_SOURCES, sourceRevision } from '../components/images/source-revision.ts';
import { ProblemsError } from '../packages/lib/problem.ts';
import type { Io } from './io.ts';

/** The default base image. */
const ONLINE_BASE = 'gcr.io/distroless/nodejs24-debian12:nonroot';

type Env = Io['env'];

/**
 * Where to push, read from the variables that operator people know: IMAGE_TAG_BASE, IMAGE_PLATFORMS, BUILDKIT_HOST,
 * PROVENANCE, SBOM. In development the embedded cluster's registry and BuildKit stand in for what is not set; a release
 * goes where somebody has said, and nowhere else.
 */
export function publishSettings(env: Env, dev: boolean, template?: string): PublishSettings {
  const embedded = dev && given(env, 'IMAGE_TAG_BASE') === undefined ? requireEmbedded(env) : undefined;
  const address = given(env, 'BUILDKIT_HOST') ?? embedded?.buildkit;
  const platforms = given(env, 'IMAGE_PLATFORMS')?.split(',');
  return {
    imageBase: embedded === undefined ? releaseBase(env) : `${embedded.registry}/inference-stack-fleet/operator`,
    buildkit: {
      ...(address === undefined ? {} : { address }),
      ...(embedded === undefined ? {} : { dockerConfig: embedded.dockerConfig }),
    },
    source: sourceRevision(checkout, OPERATOR_SOURCES, env),
    catalogSource: sourceRevision(checkout, catalogSources(dev, template), env),
    ...(platforms === undefined ? {} : { platforms }),
    attestations: attestations(env),
    workDirectory: join(checkout, 'dist', 'publish'),
  };
}

/** A development catalog names bundles that this checkout has just built. */
function catalogSources(dev: boolean, template: string | undefined): readonly string[] {
  const listed = template === undefined ? CATALOG_SOURCES : [...CATALOG_SOURCES, resolve(template)];
  return dev ? [...OPERATOR_SOURCES, ...listed] : listed;
}

/** SBOM_SCANNER is for sites that cannot pull the scanner that BuildKit would take. */
function attestations(env: Env): Attestations {
  const sbomScanner = given(env, 'SBOM_SCANNER');
  return {
    provenance: given(env, 'PROVENANCE') === '1',
    sbom: given(env, 'SBOM') === '1',
    ...(sbomScanner === undefined ? {} : { sbomScanner }),
  };
}

/** The name under which a version's bundle is released. */
export function bundleImage(version: string, env: Env): string {
  return `${releaseBase(env)}-bundle:${version.replace(/^v/, '')}`;
}

/** There is no default: any name that this repository could have belongs to somebody, who may have released other things there. */
function releaseBase(env: Env): string {
  const base = given(env, 'IMAGE_TAG_BASE');
  if (base !== undefined) return base;
  const message = 'is not set, and releases have no default repository';
  const remedy = 'Name your own, e.g. IMAGE_TAG_BASE=registry.example.com/fleet/operator.';
  throw new ProblemsError([{ path: 'IMAGE_TAG_BASE', message, remedy }]);
}

/** The base image of the controller: BASE_IMAGE, or the embedded cluster's own in development. */
export async function baseImage(env: Env, dev: boolean): Promise<string> {
  const chosen = given(env, 'BASE_IMAGE');
  if (chosen !== undefined) return chosen;
  if (!dev || given(env, 'IMAGE_TAG_BASE') !== undefined) return ONLINE_BASE;
  if (describeEmbeddedCluster(env).images.node === undefined) await updateMirror();
  return describeEmbeddedCluster(env).images.node ?? ONLINE_BASE;
}

/** Make passes variables that are not set as empty ones. */
function given(env: Env, name: string): string | undefined {
  const value = env[name];
  return value === undefined || value === '' ? undefined : value;
}

function requireEmbedded(env: Env): EmbeddedClusterDescription {
  const cluster = describeEmbeddedCluster(env);
  if (cluster.exists) return cluster;
  const remedy =
    'Start the embedded cluster with make cluster-up, or name a registry, e.g. registry.example.com/fleet/operator.';
  throw new ProblemsError([
    { path: 'IMAGE_TAG_BASE', message: 'is not set, and there is no embedded registry', remedy },
  ]);
}
