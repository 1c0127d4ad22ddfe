import { isWithin } from '../../../packages/lib/problem.ts';
import { offlineContext } from '../../../packages/render/offline-context.ts';
import { render } from '../../../packages/render/render.ts';
import { known, ObjectReader } from '../objects/object-reader.ts';
import { podSpecOf } from '../objects/pod-template.ts';
import { LEFT_OUT, type Finding, type Subject } from '../rule.ts';
import { isStack } from './stack.ts';
import { stackFieldsOf, type StackField } from './field.ts';
import { sourceOf, type StackSource } from './source.ts';

/**
 * What a rule finds in the workloads that the operator makes for a stack: those that an audit found in the cluster,
 * else those that the operator of this checkout would make. Each finding is about the stack and names the field to change.
 */
export function stackFindings(subject: Subject, check: (made: Subject) => Finding[]): Finding[] {
  if (!(known(() => isStack(subject.object)) ?? false)) return [];
  const source = sourceOf(subject.object);
  const stack = new ObjectReader(source.object);
  const findings = madeOf(subject, source).flatMap((object) =>
    check({ ...subject, object, isMade: true }).flatMap((finding) => {
      const fields = stackFieldsOf(stack, object, finding.field ?? '');
      return isJudged(fields, subject, source) ? [inWordsOfStack(finding, fields)] : [];
    }),
  );
  const reasons = [...source.reasons, ...(subject.isPartial === true ? [LEFT_OUT] : [])];
  return [...reasons.map((reason) => unjudged(subject, reason)), ...onePerField(findings)];
}

function madeOf({ made }: Subject, { stack }: StackSource): ObjectReader[] {
  if (made !== undefined) return [...made];
  if (stack === undefined) return [];
  const objects = render(stack, offlineContext(stack)).objects.map((object) => new ObjectReader(object));
  return objects.filter((object) => podSpecOf(object) !== undefined);
}

/** Skips what may still be set: a value that is not known yet, or one of the object that the program only patches. */
function isJudged(fields: readonly StackField[], { isPartial }: Subject, { unknown }: StackSource): boolean {
  if (fields.some(({ path }) => unknown.some((other) => isWithin(path, other) || isWithin(other, path)))) return false;
  return isPartial !== true || fields.some(({ isSaid }) => isSaid);
}

function inWordsOfStack(finding: Finding, [first]: readonly StackField[]): Finding {
  if (first === undefined) return finding;
  return { ...finding, field: first.path, message: `${finding.message.replace(/\.$/, '')}: see ${first.path}.` };
}

/** A field of the template is one thing to change, no matter how many applications use it. */
function onePerField(findings: readonly Finding[]): Finding[] {
  return [...Map.groupBy(findings, ({ field }) => field).values()].flatMap(([first]) => first ?? []);
}

function unjudged(subject: Subject, reason: string): Finding {
  return { subject, message: `${subject.title}: ${reason}.`, kind: 'unknown' };
}
