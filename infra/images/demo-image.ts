import { join } from 'node:path';
import { ContainerImage } from '../../components/images/container-image.ts';
import { DEMO_SOURCES, sourceRevision } from '../../components/images/source-revision.ts';
import type { ImageSettings } from './image-settings.ts';

/** The demo runtime, by repository and tag as an InferenceStack names images, and by digest. */
export interface DemoImage {
  readonly repository: string;
  readonly tag: string;
  readonly image: ContainerImage;
}

/** Builds and pushes the stand-in for the model runtime. */
export function demoImage({ build, repository, base }: ImageSettings, checkout: string): DemoImage {
  const name = `${repository}/demo-runtime`;
  const tag = 'checkout';
  const image = new ContainerImage('demo-runtime', {
    image: `${name}:${tag}`,
    settings: build,
    facts: {
      title: 'Demo runtime: answers without a model',
      version: tag,
      source: sourceRevision(checkout, DEMO_SOURCES),
    },
    context: join(checkout, 'demo'),
    buildArgs: { BASE_IMAGE: base },
  });
  return { repository: name, tag, image };
}
