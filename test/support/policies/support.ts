import type { Facts } from '../../../policies/knowledge/facts.ts';
import { ObjectReader } from '../../../policies/knowledge/objects/object-reader.ts';
import { runRule } from '../../../policies/knowledge/rule.ts';
import type { Rule, Settings, Subject } from '../../../policies/knowledge/rule.ts';
import { subjectOf } from '../../../policies/knowledge/subject.ts';

export const NO_FACTS: Facts = { catalogs: [] };

/** A change in one place: a path of keys, and the value that goes there; `undefined` takes the field out. */
export type Change = readonly [path: readonly (string | number)[], value: unknown];

/** A copy of a compliant object with some places broken. */
export function withChanges(object: object, ...changes: readonly Change[]): object {
  const copy = structuredClone(object) as Record<string | number, unknown>;
  for (const [path, value] of changes) {
    const parents = path.slice(0, -1);
    const holder = parents.reduce<Record<string | number, unknown>>(
      (node, key) => (node[key] ??= {}) as Record<string | number, unknown>,
      copy,
    );
    const last = path.at(-1) ?? '';
    if (value === undefined) Reflect.deleteProperty(holder, last);
    else holder[last] = value;
  }
  return copy;
}

export function subject(object: object, more: Partial<Subject> = {}): Subject {
  return { ...subjectOf(new ObjectReader(object)), ...more };
}

/** What a rule refuses in these objects. */
export function violations(
  rule: Rule,
  objects: readonly object[],
  facts = NO_FACTS,
  settings: Settings = {},
): string[] {
  return messages(
    rule,
    objects.map((object) => subject(object)),
    facts,
    settings,
    'violation',
  );
}

/** What a rule cannot judge in these objects. */
export function unknowns(rule: Rule, objects: readonly object[], facts = NO_FACTS, settings: Settings = {}): string[] {
  return messages(
    rule,
    objects.map((object) => subject(object)),
    facts,
    settings,
    'unknown',
  );
}

export function messages(
  rule: Rule,
  subjects: readonly Subject[],
  facts: Facts,
  settings: Settings,
  kind: 'violation' | 'unknown',
): string[] {
  return runRule(rule, subjects, facts, settings)
    .filter((finding) => finding.kind === kind)
    .map((finding) => finding.message);
}
