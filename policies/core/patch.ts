import { overlay } from '../../controller/src/api/values.ts';
import { isExtension } from './extension.ts';
import type { Facts } from './facts.ts';
import { known, ObjectReader, reveal } from './object-reader.ts';
import type { Subject } from './rule.ts';

/**
 * The extension as it will be once a program has patched it: that of the cluster, with the fields of the patch over it. A
 * patch by itself names neither package nor catalog, so rules would take it for somebody else's.
 */
export function patched(subject: Subject, facts: Facts): Subject {
  if (subject.isPatch !== true || !(known(() => isExtension(subject.object)) ?? false)) return subject;
  const name = known(() => subject.object.text('metadata', 'name'));
  const live = facts.cluster?.extensions.find((extension) => extension.text('metadata', 'name') === name);
  if (live === undefined) return subject;
  return {
    ...subject,
    isPatch: false,
    object: new ObjectReader(overlay(live.plain(), reveal(subject.object.value()))),
  };
}
