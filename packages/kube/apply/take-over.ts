import type { KubernetesObject, ManagedFields } from '../object.ts';

/**
 * The managed fields of an object, with those of its earlier maker, the writer of `makerLabel`, made ours. Otherwise the maker's fields would
 * stay for ever: server-side apply removes only what the applier itself has set before. Undefined if there is no such maker.
 */
export function takeOver(live: KubernetesObject, manager: string, makerLabel: string): ManagedFields[] | undefined {
  const entries = live.metadata.managedFields ?? [];
  const maker = entries.find((entry) => isMain(entry) && hasSetLabel(entry, makerLabel))?.manager;
  if (maker === undefined || maker === manager) return undefined;
  return entries.map((entry) =>
    isMain(entry) && entry.manager === maker ? { ...entry, manager, operation: 'Apply' } : entry,
  );
}

/** Status and scale are written by others than the maker. */
function isMain({ subresource }: ManagedFields): boolean {
  return (subresource ?? '') === '';
}

function hasSetLabel({ fieldsV1 }: ManagedFields, label: string): boolean {
  return fieldsV1?.['f:metadata']?.['f:labels']?.[`f:${label}`] !== undefined;
}
