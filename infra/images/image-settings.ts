import { join } from 'node:path';
import * as pulumi from '@pulumi/pulumi';
import type { ImageBuildSettings } from '../../components/images/container-image.ts';
import type { Settings } from '../config/schema.ts';
import type { Environment } from '../environment.ts';

/** Where and how the images of an environment are built. */
export interface ImageSettings {
  readonly build: ImageBuildSettings;
  /** Registry, and path if any, of every image; the settings' checks have made sure of it where something is built. */
  readonly repository: string;
  /** The image with Node that programs are built on. */
  readonly base: string;
  /** Where build contexts are written. */
  readonly workDirectory: string;
}

export function imageSettings({ settings: { images }, cluster, checkout }: Environment): ImageSettings {
  return {
    build: {
      builder: images.builder,
      platforms: images.platforms,
      ...(cluster.buildxInstance === undefined ? {} : { buildxInstance: cluster.buildxInstance }),
      ...pushUser(images),
    },
    repository: cluster.repository ?? '',
    base: images.base ?? cluster.images.node ?? UNBUILT_BASE,
    workDirectory: join(checkout, 'dist', 'images'),
  };
}

function pushUser({ username, password }: Settings['images']): Pick<ImageBuildSettings, 'registry'> {
  if (username === undefined || password === undefined) return {};
  // Structured configuration loses the mark of what is secret in it, so the state would show the password.
  return { registry: { username, password: pulumi.secret(password) } };
}

/** In a preview before the embedded cluster was ever started, its base image has no name yet. */
const UNBUILT_BASE = 'scratch';
