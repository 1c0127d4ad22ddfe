import { join } from 'node:path';
import { buildBundle, type Bundle } from '../bundle/bundle.ts';
import type { Catalog, FbcBundle } from '../catalog/fbc.ts';
import { bundleToFbc } from '../catalog/registry-v1.ts';
import type { Attestations } from './attestations.ts';
import { textImageContext, writeContext } from './build-context.ts';
import type { TextImageContent } from './build-context.ts';
import { buildImage, type BuildKitAccess, type ImageBuild } from './build-image.ts';
import { catalogImageContent } from './catalog-content.ts';
import { imageLabels, SOURCE_DATE_EPOCH } from './image-spec.ts';
import type { SourceRevision } from './source-revision.ts';
import { definedOnly } from '../../packages/lib/values.ts';

/** Where images go and how they are built, for commands that publish without a Pulumi program. */
export interface PublishSettings {
  /** `<base>`, `<base>-bundle` and `<base>-catalog` are pushed, e.g. `registry.example.com/fleet/operator`. */
  readonly imageBase: string;
  readonly buildkit: BuildKitAccess;
  /** Of the operator and its bundle. */
  readonly source: SourceRevision;
  readonly catalogSource: SourceRevision;
  readonly platforms?: readonly string[];
  readonly attestations?: Attestations;
  /** Where build contexts are written. */
  readonly workDirectory: string;
}

export interface BundleRequest {
  readonly version: string;
  /** The image's tag; by default, the version. */
  readonly tag?: string;
  readonly crdVersion: string;
  readonly controllerImage: string;
}

interface ControllerRequest {
  readonly context: string;
  readonly baseImage: string;
  readonly tag: string;
}

/** Builds and pushes the controller image from its directory. */
export async function publishController(settings: PublishSettings, controller: ControllerRequest): Promise<string> {
  return buildImage(controllerBuild(settings, controller), settings.buildkit);
}

/** Builds and pushes a version's bundle; returns what a catalog says about it. */
export async function publishBundle(settings: PublishSettings, request: BundleRequest): Promise<FbcBundle> {
  const { bundle, build } = bundleBuild(settings, request);
  return bundleToFbc(await buildImage(build, settings.buildkit), bundle.files);
}

/** Builds and pushes a catalog image. */
export async function publishCatalog(settings: PublishSettings, catalog: Catalog, tag: string): Promise<string> {
  return buildImage(catalogBuild(settings, catalog, tag), settings.buildkit);
}

export function controllerBuild(settings: PublishSettings, { context, baseImage, tag }: ControllerRequest): ImageBuild {
  return imageBuild(settings, {
    context,
    reference: `${settings.imageBase}:${tag}`,
    title: 'Inference Stack Operator',
    version: tag,
    buildArgs: { BASE_IMAGE: baseImage },
  });
}

/** A bundle, and how its image is built: the context is written. */
export function bundleBuild(
  settings: PublishSettings,
  { tag, ...request }: BundleRequest,
): { readonly bundle: Bundle; readonly build: ImageBuild } {
  const { source } = settings;
  const bundle = buildBundle({ ...request, ...definedOnly({ source: source.url }), created: source.created });
  const { version } = bundle;
  return { bundle, build: textBuild(settings, bundle, { kind: 'bundle', tag: tag ?? version, version }) };
}

/** How a catalog's image is built: the context is written. */
export function catalogBuild(settings: PublishSettings, catalog: Catalog, tag: string): ImageBuild {
  const ofCatalog = { ...settings, source: settings.catalogSource };
  return textBuild(ofCatalog, catalogImageContent(catalog), { kind: 'catalog', tag, version: tag });
}

/** An image that holds the files of a part under `/<part>/`: the context is written. */
export function filesBuild(
  settings: PublishSettings,
  part: string,
  version: string,
  files: ReadonlyMap<string, string>,
): ImageBuild {
  return textBuild(settings, { files, labels: {} }, { kind: part, tag: version, version });
}

function textBuild(
  settings: PublishSettings,
  content: TextImageContent,
  { kind, tag, version }: { readonly kind: string; readonly tag: string; readonly version: string },
): ImageBuild {
  const directory = join(settings.workDirectory, `${kind}-${tag}`);
  return imageBuild(settings, {
    context: writeContext(directory, textImageContext(content)),
    reference: `${settings.imageBase}-${kind}:${tag}`,
    title: `Inference Stack Operator ${kind}`,
    version,
  });
}

function imageBuild(
  { source, platforms, attestations }: PublishSettings,
  image: {
    readonly context: string;
    readonly reference: string;
    readonly title: string;
    readonly version: string;
    readonly buildArgs?: Readonly<Record<string, string>>;
  },
): ImageBuild {
  return definedOnly({
    context: image.context,
    reference: image.reference,
    labels: imageLabels({ title: image.title, version: image.version, source }),
    sourceDateEpoch: SOURCE_DATE_EPOCH,
    buildArgs: image.buildArgs,
    platforms,
    attestations,
  });
}
