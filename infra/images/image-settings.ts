import { join } from 'node:path';
import * as pulumi from '@pulumi/pulumi';
import { mirroredImages } from '../../cluster/mirror/mirror.ts';
import { checkout } from '../../packages/lib/checkout.ts';
import type { ImageBuildSettings } from '../../components/images/container-image.ts';
import type { Target } from '../cluster/target.ts';
import type { Settings } from '../config/schema.ts';

/** Where and how the images of a stack are built. */
export interface ImageSettings {
  readonly build: ImageBuildSettings;
  /** Registry, and path if any, of every image; the settings' checks have made sure of it where something is built. */
  readonly repository: string;
  /** The image with Node that programs are built on. */
  readonly base: string;
  /** Where build contexts are written. */
  readonly workDirectory: string;
}

export function imageSettings(settings: Settings, target: Target): ImageSettings {
  const { images, cluster } = settings;
  return {
    build: {
      engine: images.engine,
      platforms: images.platforms,
      ...(target.builder === undefined ? {} : { builder: target.builder }),
      ...pushUser(images),
    },
    repository: target.repository ?? '',
    base: images.base ?? (cluster === 'embedded' ? mirroredImages().node : undefined) ?? UNBUILT_BASE,
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
