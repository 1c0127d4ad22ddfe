import yaml from 'js-yaml';
import { messageOf } from './error.ts';
import { isObject } from './json.ts';
import { ProblemsError } from './problem.ts';

/** Reads a file of JSON; `object` is what a message calls it. Nothing of the text is shown, since there may be secrets in it. */
export function readJson(text: string, object: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new ProblemsError([{ object, path: '', ...reason(text, messageOf(error)) }]);
  }
}

function reason(text: string, message: string): { readonly message: string; readonly remedy: string } {
  if (text.trim() === '') return { message: 'is empty', remedy: 'Write {} where nothing is to be said.' };
  if (isYaml(text))
    return { message: 'is YAML, not JSON', remedy: 'Write it as JSON: names and texts in double quotes.' };
  const [, line, column] = /\(line (\d+) column (\d+)\)/.exec(message) ?? [];
  const remedy = 'Check quotes, commas and brackets; JSON has no comments, and no comma after the last entry.';
  if (line !== undefined) return { message: `is not valid JSON: line ${line}, column ${column ?? ''}`, remedy };
  return {
    message: /end of JSON|Unterminated/.test(message) ? 'is not valid JSON: it ends too early' : 'is not valid JSON',
    remedy,
  };
}

function isYaml(text: string): boolean {
  if (/^\s*[[{]/.test(text)) return false;
  try {
    return isObject(yaml.load(text, { schema: yaml.JSON_SCHEMA }));
  } catch {
    return false;
  }
}
