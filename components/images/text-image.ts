import * as pulumi from '@pulumi/pulumi';
import { join } from 'node:path';
import { textImageContext, writeContext, type TextImageContent } from './build-context.ts';
import { ContainerImage, type ImageBuildSettings } from './container-image.ts';
import type { SourceRevision } from './source-revision.ts';

/** What all images that an environment builds from one source have in common. */
export interface BuildArgs {
  readonly source: SourceRevision;
  readonly settings: ImageBuildSettings;
  /** Where build contexts are written: a folder of its own for each component that builds. */
  readonly workDirectory: string;
}

export interface TextImageArgs extends BuildArgs {
  /** The folder of the build context, in the work directory. Changing it rebuilds the image, so no resource name is part of it. */
  readonly folder: string;
  /** Canonical name with a tag. */
  readonly image: string;
  readonly title: string;
  readonly version: string;
  readonly content: pulumi.Output<TextImageContent>;
}

/** An image of nothing but text, built in a context that is written for it. */
export function textImage(name: string, args: TextImageArgs, opts: pulumi.ComponentResourceOptions): ContainerImage {
  const { image, title, version, source, settings } = args;
  const directory = join(args.workDirectory, args.folder);
  return new ContainerImage(
    name,
    {
      image,
      settings,
      facts: { title, version, source },
      context: args.content.apply((content) => writeContext(directory, textImageContext(content))),
    },
    opts,
  );
}
