import { textAt, type OpenObject } from '../../lib/json.ts';
import { definedOnly } from '../../lib/values.ts';
import type { EffectiveOpen } from '../effective.ts';

/** A folder of the container, and the volume that it is. */
export interface Folder {
  readonly volume: OpenObject & { readonly name: string };
  readonly mountPath: string;
  readonly readOnly?: true;
  /** Whether the volume's name is the user's. */
  readonly isNamed?: true;
}

interface Mounted {
  readonly volumes: OpenObject[];
  readonly volumeMounts: OpenObject[];
}

/**
 * The operator's folders beside the user's volumes. A folder that the user mounts is the user's, and a volume whose name the user has taken
 * gets another one: Kubernetes refuses what is there twice.
 */
export function mounted(
  folders: readonly Folder[],
  { volumes = [], volumeMounts = [] }: Pick<EffectiveOpen, 'volumes' | 'volumeMounts'>,
): Mounted {
  const named = folders.filter(({ isNamed }) => isNamed === true).map(({ volume }) => volume.name);
  const taken = new Set([...named, ...volumes.map((volume) => textAt(volume, 'name'))]);
  const theirs = new Set(volumeMounts.map(pathOf));
  const all = folders.map(({ volume, mountPath, readOnly, isNamed }) => {
    const name = isNamed === true ? volume.name : freeName(volume.name, taken);
    const mount = theirs.has(mountPath) ? [] : [definedOnly({ name, mountPath, readOnly })];
    // Under its own name, the user may have mounted it elsewhere.
    const isUsed = mount.length > 0 || name === volume.name;
    return { volumes: isUsed ? [{ ...volume, name }] : [], mount };
  });
  return { volumes: all.flatMap((each) => each.volumes), volumeMounts: all.flatMap(({ mount }) => mount) };
}

/** Where a mount is, without the slash at the end that changes nothing. */
export function pathOf(mount: OpenObject): string {
  return textAt(mount, 'mountPath').replace(/(?<=[^/])\/+$/, '');
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  return taken.has(name) ? freeName(`engine-${name}`, taken) : name;
}
