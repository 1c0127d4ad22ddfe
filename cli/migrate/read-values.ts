import { isObject, type OpenObject } from '../../packages/lib/json.ts';
import { type Problem, refuse } from '../../packages/lib/problem.ts';
import { setOwn } from '../../packages/lib/values.ts';
import { type Document, readDocuments } from '../documents.ts';
import type { Io } from '../io.ts';

/** What `helm get values` prints above the values, unless it is asked for YAML. */
const TITLES = ['USER-SUPPLIED VALUES', 'COMPUTED VALUES'];

/** Reads the values of all files as Helm does: maps are merged, and the last file has the last word. */
export async function readValues(files: readonly string[], io: Io): Promise<OpenObject> {
  const documents = await readDocuments(files, io);
  refuse(documents.flatMap((document, index) => documentProblems(document, documents.slice(0, index))));
  const values = documents.reduce<OpenObject>((lower, { value }) => layered(lower, value as OpenObject), {});
  return Object.fromEntries(Object.entries(values).filter(([key]) => !TITLES.includes(key)));
}

/** One map over another. Unlike everywhere else, null is kept: it takes away what the chart would set by itself. */
export function layered(lower: OpenObject, upper: OpenObject): OpenObject {
  const result: OpenObject = { ...lower };
  for (const [key, value] of Object.entries(upper)) {
    const below = Object.hasOwn(lower, key) ? lower[key] : undefined;
    setOwn(result, key, isObject(below) && isObject(value) ? layered(below, value) : value);
  }
  return result;
}

/** Far more values than a stack can have. A few lines of YAML can stand for billions. */
const MOST = 100_000;

function documentProblems({ source, value }: Document, before: readonly Document[]): Problem[] {
  if (!isObject(value)) return [{ object: source, path: '', message: 'holds no values, which are a map' }];
  if (exceeds(value, MOST)) return [{ object: source, path: '', message: `holds more than ${MOST} values` }];
  if (!before.some((other) => other.source === source)) return [];
  const remedy = 'Put each into a file of its own.';
  return [{ object: source, path: '', message: 'holds several documents, of which Helm reads the first', remedy }];
}

function exceeds(value: unknown, most: number): boolean {
  const open = [value];
  for (let seen = 0; open.length > 0; seen += 1) {
    if (seen > most) return true;
    const each = open.pop();
    if (typeof each !== 'object' || each === null) continue;
    for (const field of Object.values(each) as unknown[]) open.push(field);
  }
  return false;
}
