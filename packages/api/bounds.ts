import type { Problem } from '../lib/problem.ts';
import { JSON_BOUNDS, type Extent } from '../kube/client/bounded-json.ts';
import { objectAt, isObject } from '../lib/json.ts';

/**
 * How large a spec may be, beyond what its schema can say: Kubernetes' own subtrees are open there, and a template counts once for
 * each application. Everything that the operator does with a spec is linear in this.
 */
const MERGED_BOUNDS = { bytes: 256 * 1024, values: 25_000 } as const;

/** How many values a spec may have by itself: half of what can be read, since managedFields may hold twice as many as the spec. */
const SPEC_VALUES = JSON_BOUNDS.values / 2;

/** The longest name of a setting, a label or a variable. Each name is converted to other spellings as a whole. */
const NAME_BOUND = 1024;

/** What is wrong with a spec before its fields are checked. */
export interface BoundProblems {
  /** Why it is too large to be checked any further. */
  readonly excess: readonly Problem[];
  /** Numbers that would change when they are passed on. */
  readonly inexact: readonly Problem[];
  /** Whether it is large, although it can be served. */
  readonly heavy: boolean;
}

/** A spec above this is heavy. Specs that people write stay far below. */
const HEAVY = { bytes: 128 * 1024, values: 5_000 } as const;

/** A spec is measured when it arrives, and again by whoever validates it. Nobody changes it in between. */
const known = new WeakMap<object, BoundProblems>();

/** Assumes nothing about the spec: it may come from anybody. */
export function boundProblems(spec: unknown): BoundProblems {
  if (!isObject(spec)) return findProblems(spec);
  const problems = known.get(spec) ?? findProblems(spec);
  known.set(spec, problems);
  return problems;
}

function findProblems(spec: unknown): BoundProblems {
  const { applicationTemplate, applications } = objectAt(spec);
  const { extent, inexact, longName } = measure(spec);
  const count = Object.keys(objectAt(applications)).length;
  const template = count < 2 ? NOTHING : measure(applicationTemplate).extent;
  const merged = {
    bytes: extent.bytes + (count - 1) * template.bytes,
    values: extent.values + (count - 1) * template.values,
  };
  const heavy = merged.bytes > HEAVY.bytes || merged.values > HEAVY.values;
  return { excess: [...excessOf(extent), ...mergedExcess(merged, count), ...longName], inexact, heavy };
}

const NOTHING: Extent = { bytes: 0, values: 0, depth: 0 };

/** Why a spec of this extent is too much, if it is. */
export function excessOf({ bytes, values, depth }: Extent): Problem[] {
  return [
    ...(depth > JSON_BOUNDS.depth ? [tooDeep()] : []),
    ...tooMuch(kibibytes, bytes, MERGED_BOUNDS.bytes),
    ...tooMuch(valueCount, values, SPEC_VALUES),
  ];
}

function mergedExcess({ bytes, values }: Omit<Extent, 'depth'>, applications: number): Problem[] {
  // Without a repeated template, the spec's own size says the same.
  if (applications < 2) return [];
  const where = ' with the template in each application';
  return [
    ...tooMuch(kibibytes, bytes, MERGED_BOUNDS.bytes, where),
    ...tooMuch(valueCount, values, MERGED_BOUNDS.values, where),
  ];
}

function tooMuch(text: (amount: number) => string, found: number, most: number, where = ''): Problem[] {
  if (found <= most) return [];
  const message = `comes to ${text(found)}${where}; at most ${text(most)} can be served`;
  return [{ path: 'spec', message, remedy: 'Mount long texts from a ConfigMap, or divide the stack.' }];
}

/** Rounded up, so that what is too much never looks like what is allowed. */
function kibibytes(bytes: number): string {
  return `${String(Math.ceil(bytes / 1024))} KiB`;
}

function valueCount(values: number): string {
  return `${String(values)} values`;
}

function tooDeep(): Problem {
  const message = `is nested more than ${String(JSON_BOUNDS.depth)} levels deep`;
  return { path: 'spec', message, remedy: 'Nothing that Kubernetes or the runtime knows is that deep.' };
}

/** A map or a list that is still to be looked into. */
interface Container {
  readonly value: object;
  readonly depth: number;
  /** In its parent: of a field, or the index in a list. */
  readonly key: string | number;
  readonly parent: Container | undefined;
}

interface Measure {
  readonly extent: Extent;
  readonly longName: readonly Problem[];
  readonly inexact: readonly Problem[];
}

/** A few problems of a kind say enough, and there may be a hundred thousand. */
const PROBLEM_LIMIT = 5;

/** The size of a value as JSON, and which of its numbers would change. Without recursion, because the value may be very deep. */
function measure(root: unknown): Measure {
  let bytes = 0;
  let values = 0;
  let depth = 0;
  const inexact: Problem[] = [];
  const longName: Problem[] = [];
  const open: Container[] = [];
  const visit = (value: unknown, key: string | number, parent: Container | undefined): void => {
    bytes += lengthOf(value);
    values += 1;
    if (typeof value === 'object' && value !== null) {
      open.push({ value, depth: (parent?.depth ?? 0) + 1, key, parent });
    } else if (isInexact(value) && inexact.length < PROBLEM_LIMIT) {
      inexact.push({ path: pathOf(key, parent), value, ...INEXACT });
    }
  };
  visit(root, 'spec', undefined);
  for (let container = open.pop(); container !== undefined; container = open.pop()) {
    const { value } = container;
    depth = Math.max(depth, container.depth);
    const keys = Array.isArray(value) ? [] : Object.keys(value);
    // An empty map or list counts twice, as it does before it is parsed.
    if ((Array.isArray(value) ? value : keys).length === 0) values += 1;
    if (Array.isArray(value)) {
      for (let index = 0; index < value.length; index += 1) visit(value[index], index, container);
    } else {
      for (const key of keys) {
        bytes += lengthOf(key);
        if (key.length > NAME_BOUND && longName.length === 0) longName.push(nameTooLong(key, container));
        visit((value as Record<string, unknown>)[key], key, container);
      }
    }
  }
  return { extent: { bytes, values, depth }, inexact, longName };
}

function nameTooLong(key: string, { key: parentKey, parent }: Container): Problem {
  const message = `has a name of ${String(key.length)} characters; at most ${String(NAME_BOUND)} can be served`;
  return { path: pathOf(parentKey, parent), message, remedy: 'Use a shorter name.' };
}

const INEXACT = {
  message: `is beyond ${String(Number.MAX_SAFE_INTEGER)}, the largest whole number that is passed on unchanged`,
  remedy: 'Use a smaller number, or write it in quotes.',
};

/** Read from JSON, such a number has already lost its last digits. */
function isInexact(value: unknown): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value);
}

/** The length as JSON, where an escaped character may be six times as long. */
function lengthOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(JSON.stringify(value)) + 1;
  return typeof value === 'number' ? String(value).length + 1 : 5;
}

function pathOf(key: string | number, parent: Container | undefined): string {
  if (parent === undefined) return String(key);
  const above = pathOf(parent.key, parent.parent);
  return typeof key === 'number' ? `${above}[${String(key)}]` : `${above}.${key}`;
}
