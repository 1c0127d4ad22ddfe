import yaml from 'js-yaml';
import { isObject } from '../packages/lib/json.ts';
import { type Problem, refuse } from '../packages/lib/problem.ts';
import { yamlProblem } from '../packages/lib/read-yaml.ts';
import { FileError } from '../packages/lib/text-file.ts';
import type { Io } from './io.ts';

/** One YAML document of a file, or one object of a list in it, and where it came from. */
export interface Document {
  readonly source: string;
  readonly value: unknown;
}

/** Reads every object of every file, YAML or JSON. What cannot be read is reported together, a line for each file. */
export async function readDocuments(files: readonly string[], io: Io): Promise<Document[]> {
  const problems: Problem[] = [];
  const documents: Document[] = [];
  for (const file of files) {
    const source = file === '-' ? 'standard input' : file;
    const read = await readObjects(file, io);
    if (Array.isArray(read)) documents.push(...read.map((value: unknown) => ({ source, value })));
    else problems.push({ object: source, path: '', ...read });
  }
  refuse(problems);
  return documents;
}

type Unreadable = Pick<Problem, 'message' | 'remedy'> & Partial<Pick<Problem, 'path'>>;

async function readObjects(file: string, io: Io): Promise<unknown[] | Unreadable> {
  try {
    const text = await io.read(file);
    const values = yaml.loadAll(text).filter((value) => value !== null && value !== undefined);
    const objects = values.flatMap(itemsOf);
    if (objects.length > 0) return objects;
    const remedy = 'Check that it is the right file.';
    return { message: values.length === 0 ? 'is empty' : 'holds an empty list', remedy };
  } catch (error) {
    return unreadable(error);
  }
}

/** Takes apart the list that `kubectl get -o yaml` prints for several objects. */
function itemsOf(value: unknown): unknown[] {
  if (!isObject(value)) return [value];
  const { kind, items } = value;
  return typeof kind === 'string' && kind.endsWith('List') && Array.isArray(items) ? (items as unknown[]) : [value];
}

function unreadable(error: unknown): Unreadable {
  if (error instanceof yaml.YAMLException) return yamlProblem(error);
  if (error instanceof FileError) return error.problem;
  throw error;
}
