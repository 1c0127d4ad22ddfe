import { createHash } from 'node:crypto';
import { isObject, objectsAt, textAt } from '../../packages/lib/json.ts';
import { type Problem, ProblemsError } from '../../packages/lib/problem.ts';
import { parsePreview } from './digest.ts';

/** One resource that an update would change. */
interface Change {
  readonly urn: string;
  readonly op: string;
  /** Stands for what the resource is now and would be then, and tells neither. */
  readonly content: string;
}

/** What a preview would change, as far as it takes to recognise the same change. Anybody may read it. */
export interface ChangeRecord {
  readonly environment: string;
  readonly changes: readonly Change[];
}

/** Pulumi lists what it looks at as well. */
const NO_CHANGES = new Set(['same', 'read', 'refresh']);

/** The record of a preview's output. What Pulumi hides as secret counts as equal: only whether it changes is known. */
export function recordOf(environment: string, preview: string, file: string): ChangeRecord {
  const steps = objectsAt(parsePreview(preview, file), 'steps').filter((step) => !NO_CHANGES.has(textAt(step, 'op')));
  const changes = steps.map((step) => ({
    urn: textAt(step, 'urn'),
    op: textAt(step, 'op'),
    content: hash([inputsOf(step['oldState']), inputsOf(step['newState'])]),
  }));
  return { environment, changes: changes.sort((a, b) => (key(a) < key(b) ? -1 : 1)) };
}

export function writeRecord(record: ChangeRecord): string {
  return `${JSON.stringify(record, undefined, 2)}\n`;
}

/** Reads a record, and refuses one of another environment. */
export function readRecord(text: string, file: string, environment: string): ChangeRecord {
  const remedy = 'Preview again: `fleet preview-comment --record FILE` writes it.';
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw new ProblemsError([{ object: file, path: '', message: 'is not JSON', remedy }]);
  }
  const changes = isObject(document) ? document['changes'] : undefined;
  if (!isObject(document) || !Array.isArray(changes) || !changes.every(isChange)) {
    throw new ProblemsError([{ object: file, path: 'changes', message: 'is not a record of a preview', remedy }]);
  }
  const of = textAt(document, 'environment');
  if (of === environment) return { environment, changes };
  const message = `is another environment than ${environment}`;
  throw new ProblemsError([{ object: file, path: 'environment', value: of, message, remedy }]);
}

/** The most differences that a message names. */
const NAMED = 10;

/** What an update would do now that the preview did not show, or the other way round. */
export function otherChanges(previewed: ChangeRecord, now: ChangeRecord, file: string): Problem[] {
  const [before, after] = [byKey(previewed), byKey(now)];
  const added = now.changes.filter((change) => !before.has(key(change)));
  const gone = previewed.changes.filter((change) => !after.has(key(change)));
  const other = now.changes.filter((change) => (before.get(key(change)) ?? change).content !== change.content);
  const differences = [
    ...added.map((change) => [change, 'is a change that the preview did not show'] as const),
    ...gone.map((change) => [change, 'was previewed, and would not happen now'] as const),
    ...other.map((change) => [change, 'would be made with other values than were previewed'] as const),
  ];
  const problems = differences
    .slice(0, NAMED)
    .map(([change, message]) => ({ object: file, path: key(change), message }));
  if (differences.length === 0) return [];
  const more = differences.length > NAMED ? ` (and ${differences.length - NAMED} more differences)` : '';
  const remedy = 'Look at a new preview, and apply that. Nothing has been changed.';
  const message = `is not the change that would be applied now${more}`;
  return [...problems, { object: file, path: '', message, remedy }];
}

function isChange(value: unknown): value is Change {
  return isObject(value) && ['urn', 'op', 'content'].every((field) => typeof value[field] === 'string');
}

function inputsOf(state: unknown): unknown {
  return isObject(state) ? (state['inputs'] ?? null) : null;
}

function hash(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(value)))
    .digest('hex');
}

/** The same value in one order of its keys, whatever wrote it. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => [name, sorted(inner)]),
  );
}

function byKey({ changes }: ChangeRecord): Map<string, Change> {
  return new Map(changes.map((change) => [key(change), change]));
}

/** `create Deployment…::name`: one resource may be both deleted and created. */
function key({ op, urn }: Change): string {
  return `${op} ${urn.split('::').slice(2).join('::')}`;
}
