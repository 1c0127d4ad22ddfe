import yaml from 'js-yaml';
import { isObject } from '../packages/lib/json.ts';
import { codeOf, messageOf } from '../packages/lib/error.ts';
import { type Problem, refuse } from '../packages/lib/problem.ts';
import { yamlProblem } from '../packages/lib/read-yaml.ts';
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

type Unreadable = Pick<Problem, 'message' | 'remedy'>;

async function readObjects(file: string, io: Io): Promise<unknown[] | Unreadable> {
  try {
    const text = await io.read(file);
    // PowerShell writes UTF-16 by default.
    if (text.includes('\0')) return { message: 'is not UTF-8 text', remedy: 'Save it as UTF-8.' };
    const values = yaml.loadAll(text).filter((value) => value !== null && value !== undefined);
    const objects = values.flatMap(itemsOf);
    if (objects.length > 0) return objects;
    return { message: values.length === 0 ? 'is empty' : 'holds an empty list' };
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

const FILE_ERRORS: Readonly<Record<string, Unreadable>> = {
  ENOENT: { message: 'there is no such file' },
  EISDIR: { message: 'is a directory', remedy: 'Name the files in it, each with -f.' },
  EACCES: { message: 'may not be read', remedy: 'Check its permissions.' },
};

function unreadable(error: unknown): Unreadable {
  if (error instanceof yaml.YAMLException) {
    return { message: yamlProblem(error) };
  }
  return FILE_ERRORS[codeOf(error)] ?? { message: messageOf(error) };
}
