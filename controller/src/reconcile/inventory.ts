import type { InventoryEntry } from '../../../packages/api/types.ts';
import type { RenderedObject } from '../../../packages/render/model.ts';

export function inventoryEntry({ apiVersion, kind, metadata }: RenderedObject): InventoryEntry {
  return { apiVersion, kind, name: metadata.name };
}

/** Entries of one list that another one does not have, in whatever version. */
export function without(list: readonly InventoryEntry[], other: readonly InventoryEntry[]): InventoryEntry[] {
  const known = new Set(other.map(keyOf));
  return list.filter((entry) => !known.has(keyOf(entry)));
}

export function union(first: readonly InventoryEntry[], second: readonly InventoryEntry[]): InventoryEntry[] {
  return [...first, ...without(second, first)];
}

function keyOf({ kind, name }: InventoryEntry): string {
  return `${kind}/${name}`;
}
