import type { RenderedObject } from '../../../../packages/render/model.ts';
import type { LiveApplication } from '../live-application.ts';
import type { World } from '../state.ts';
import type { Exclusive } from './claim-modes.ts';
import { claimsOf, diskOf } from './pod-template.ts';

/**
 * By application: the volume that its old and its new pod cannot share, in words that begin a sentence. A new pod that waits for a volume
 * of the old one waits for ever if the old one waits for the new one.
 */
export async function exclusiveVolumes(
  applications: readonly LiveApplication[],
  objects: readonly RenderedObject[],
  world: Pick<World, 'claimModes' | 'now'>,
): Promise<ReadonlyMap<string, Exclusive>> {
  const ours = new Set(
    objects.filter(({ kind }) => kind === 'PersistentVolumeClaim').map(({ metadata }) => metadata.name),
  );
  const found = new Map<string, Exclusive>();
  for (const application of applications) {
    if (application.rendered.rollout !== 'auto') continue;
    const why = await exclusiveVolume(application, ours, world);
    if (why !== undefined) found.set(application.name, why);
  }
  return found;
}

async function exclusiveVolume(
  { namespace, rendered, template }: LiveApplication,
  ours: ReadonlySet<string>,
  { claimModes, now }: Pick<World, 'claimModes' | 'now'>,
): Promise<Exclusive | undefined> {
  if (rendered.exclusiveCache !== undefined) return shared(`The model cache is ${rendered.exclusiveCache}`);
  const disk = diskOf(template);
  if (disk !== undefined) return shared(`A disk (${disk}) is attached to one node at a time`);
  for (const name of claimsOf(template)) {
    const why = ours.has(name) ? undefined : await claimModes.exclusive({ namespace, name }, now().getTime());
    if (why !== undefined) return why;
  }
  return undefined;
}

function shared(why: string): Exclusive {
  return { why, missing: false };
}
