import yaml from 'js-yaml';
import { type Problem, refuse } from '../controller/src/problem.ts';
import type { Io } from './io.ts';

/** One YAML document of a file, and where it came from. */
export interface Document {
  readonly source: string;
  readonly value: unknown;
}

/** Reads every document of every file; empty ones are skipped, and all syntax errors are reported together. */
export async function readDocuments(files: readonly string[], io: Io): Promise<Document[]> {
  const problems: Problem[] = [];
  const documents: Document[] = [];
  for (const file of files) {
    const source = file === '-' ? 'standard input' : file;
    try {
      const values = yaml.loadAll(await io.read(file)).filter((value) => value !== null && value !== undefined);
      documents.push(...values.map((value) => ({ source, value })));
      if (values.length === 0) problems.push({ object: source, path: '', message: 'holds no document' });
    } catch (error) {
      problems.push({
        object: source,
        path: '',
        message: error instanceof Error ? firstLine(error.message) : String(error),
      });
    }
  }
  refuse(problems);
  return documents;
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? text;
}
