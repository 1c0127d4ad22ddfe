import * as docker from '@pulumi/docker';
import * as dockerBuild from '@pulumi/docker-build';
import * as pulumi from '@pulumi/pulumi';
import { byDigest } from '../registry/reference.ts';
import { imageLabels, pushReference, REGISTRY_EXPORT, SOURCE_DATE_EPOCH } from './image-spec.ts';
import type { ImageFacts } from './image-spec.ts';

/** How images are built and where they go; the same for every image of an environment. */
export interface ImageBuildSettings {
  /** `docker-build` talks to BuildKit; `docker` is for teams that use that plugin and a Docker engine. */
  readonly builder: 'docker-build' | 'docker';
  readonly platforms: readonly string[];
  /** The instance of buildx that docker-build uses; the default one if left out. */
  readonly buildxInstance?: string;
  /** The user of the registry; without it, the credentials of `docker login` are used. */
  readonly registry?: { readonly username: pulumi.Input<string>; readonly password: pulumi.Input<string> };
  /** Also build in previews, which then show the digest that will run; whoever previews then needs a builder. */
  readonly buildOnPreview?: boolean;
}

export interface ContainerImageArgs {
  /** Canonical name with a tag, e.g. `registry.example.com/fleet/operator:1.0.0`. */
  readonly image: string;
  readonly settings: ImageBuildSettings;
  readonly facts: ImageFacts;
  /** The directory that is built, with a Dockerfile in it unless `dockerfile` names another one. */
  readonly context: pulumi.Input<string>;
  readonly dockerfile?: pulumi.Input<string>;
  readonly buildArgs?: Readonly<Record<string, pulumi.Input<string>>>;
}

/** An image that is built from a directory and pushed; known by digest, so that nothing downstream depends on a tag. */
export class ContainerImage extends pulumi.ComponentResource {
  /** `repository@digest`. */
  readonly ref: pulumi.Output<string>;

  constructor(name: string, args: ContainerImageArgs, opts?: pulumi.ComponentResourceOptions) {
    super('inference-stack-fleet:images:ContainerImage', name, {}, opts);
    // Destroying an environment must not take images away from clusters that run them.
    const options = { parent: this, retainOnDelete: true };
    this.ref =
      args.settings.builder === 'docker' ? buildByDocker(name, args, options) : buildByBuildKit(name, args, options);
    this.registerOutputs({ ref: this.ref });
  }
}

function buildByBuildKit(
  name: string,
  args: ContainerImageArgs,
  opts: pulumi.CustomResourceOptions,
): pulumi.Output<string> {
  const { settings, facts } = args;
  const reference = pushReference(args.image);
  const image = new dockerBuild.Image(
    name,
    {
      tags: [args.image],
      context: { location: args.context },
      ...(args.dockerfile === undefined ? {} : { dockerfile: { location: args.dockerfile } }),
      buildArgs: { SOURCE_DATE_EPOCH: String(SOURCE_DATE_EPOCH), ...args.buildArgs },
      labels: imageLabels(facts),
      platforms: settings.platforms.map((platform) => platform as dockerBuild.Platform),
      // The typed form of an export, and `push`, cannot ask for rewritten timestamps.
      push: false,
      exports: [
        {
          raw: Object.entries(REGISTRY_EXPORT)
            .map((pair) => pair.join('='))
            .join(','),
        },
      ],
      buildOnPreview: settings.buildOnPreview ?? false,
      ...(settings.buildxInstance === undefined ? {} : { builder: { name: settings.buildxInstance } }),
      ...(settings.registry === undefined ? {} : { registries: [{ address: reference.host, ...settings.registry }] }),
    },
    opts,
  );
  return image.digest.apply((digest) => byDigest(reference, digest));
}

/** The older plugin knows neither labels nor several platforms at once; what it pushes is known by digest all the same. */
function buildByDocker(
  name: string,
  args: ContainerImageArgs,
  opts: pulumi.CustomResourceOptions,
): pulumi.Output<string> {
  const { settings } = args;
  const reference = pushReference(args.image);
  const [platform] = settings.platforms;
  const image = new docker.Image(
    name,
    {
      imageName: args.image,
      build: {
        context: args.context,
        dockerfile: args.dockerfile ?? pulumi.interpolate`${args.context}/Dockerfile`,
        args: { SOURCE_DATE_EPOCH: String(SOURCE_DATE_EPOCH), ...args.buildArgs },
        ...(platform === undefined ? {} : { platform }),
      },
      buildOnPreview: settings.buildOnPreview ?? false,
      ...(settings.registry === undefined ? {} : { registry: { server: reference.host, ...settings.registry } }),
    },
    opts,
  );
  return image.repoDigest;
}
