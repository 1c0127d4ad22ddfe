import yaml from 'js-yaml';
import { isObject } from '../packages/lib/json.ts';
import { type Problem, refuse } from '../packages/lib/problem.ts';
import { yamlProblem } from '../packages/lib/read-yaml.ts';
import { FileError } from '../packages/lib/text-file.ts';
import { type LocatedValue, loadLocated } from '../packages/lib/yaml-lines.ts';
import type { Io } from './io.ts';

/** One YAML document of a file, or one object of a list in it, and where it came from. */
export interface Document {
  readonly source: string;
  readonly value: unknown;
  /** The file and the line of a path in the value: `chat.yaml:12`. */
  readonly placeOf: (path: string) => string;
}

/** Reads every object of every file, YAML or JSON. What cannot be read is reported together, a line for each file. */
export async function readDocuments(files: readonly string[], io: Io): Promise<Document[]> {
  const problems: Problem[] = [];
  const documents: Document[] = [];
  for (const file of files) {
    const source = file === '-' ? 'standard input' : file;
    const read = await readObjects(file, io);
    if (Array.isArray(read)) documents.push(...read.map((located) => documentOf(source, located)));
    else problems.push({ object: source, path: '', ...read });
  }
  refuse(problems);
  return documents;
}

function documentOf(source: string, { value, lineOf }: LocatedValue): Document {
  return { source, value, placeOf: (path) => `${source}:${String(lineOf(path) ?? 1)}` };
}

type Unreadable = Pick<Problem, 'message' | 'remedy'> & Partial<Pick<Problem, 'path'>>;

async function readObjects(file: string, io: Io): Promise<LocatedValue[] | Unreadable> {
  try {
    const text = await io.read(file);
    const values = loadLocated(text).filter(({ value }) => value !== null && value !== undefined);
    const objects = values.flatMap(itemsOf);
    if (objects.length > 0) return objects;
    const remedy = 'Check that it is the right file.';
    return { message: values.length === 0 ? 'is empty' : 'holds an empty list', remedy };
  } catch (error) {
    return unreadable(error);
  }
}

/** Takes apart the list that `kubectl get -o yaml` prints for several objects. */
function itemsOf(located: LocatedValue): LocatedValue[] {
  const { value, lineOf } = located;
  if (!isObject(value)) return [located];
  const { kind, items } = value;
  if (typeof kind !== 'string' || !kind.endsWith('List') || !Array.isArray(items)) return [located];
  return items.map((item: unknown, index) => {
    const at = `items[${String(index)}]`;
    return { value: item, lineOf: (path) => lineOf(path === '' ? at : `${at}.${path}`) };
  });
}

function unreadable(error: unknown): Unreadable {
  if (error instanceof yaml.YAMLException) return yamlProblem(error);
  if (error instanceof FileError) return error.problem;
  throw error;
}

const OF_MANIFESTS = /\.(?:ya?ml|json)$/;

/** Files as they are, and for a folder the manifests in it, as kubectl takes them. */
export async function withoutFolders(files: readonly string[], io: Io): Promise<string[]> {
  const found = await Promise.all(files.map((file) => manifestsIn(file, io)));
  return [...new Set(found.flat())];
}

async function manifestsIn(file: string, io: Io): Promise<readonly string[]> {
  const names = file === '-' ? undefined : await io.list(file).catch(() => undefined);
  if (names === undefined || names.length === 0) return [file];
  const folder = file.replace(/\/+$/, '');
  const manifests = names.filter((name) => OF_MANIFESTS.test(name)).sort();
  if (manifests.length > 0) return manifests.map((name) => `${folder}/${name}`);
  const remedy = 'Name a folder with files that end in .yaml, .yml or .json.';
  refuse([{ object: file, path: '', message: 'holds no manifests', remedy }]);
  return [];
}
