import { readdirSync, readFileSync } from 'node:fs';
import yaml from 'js-yaml';
import type { OpenObject } from '../../../../../packages/lib/json.ts';
import type { RenderedObject } from '../../../../../packages/render/model.ts';

/** Values of doublewordai/inference-stack 0.4.4, and the release that they are for. */
export interface ValuesCase {
  readonly release: string;
  readonly namespace: string;
  readonly values: OpenObject;
}

const CASES = new URL('cases/', import.meta.url);
const FIXTURES = new URL('fixtures/', import.meta.url);

/** Every case by name. */
export function readCases(): ReadonlyMap<string, ValuesCase> {
  const files = readdirSync(CASES)
    .filter((file) => file.endsWith('.yaml'))
    .sort();
  return new Map(
    files.map((file) => [
      file.replace('.yaml', ''),
      yaml.load(readFileSync(new URL(file, CASES), 'utf8')) as ValuesCase,
    ]),
  );
}

/** Where the objects are kept that the chart renders for a case, one a line. */
export function fixtureOf(name: string): URL {
  return new URL(`${name}.jsonl`, FIXTURES);
}

export function readFixture(name: string): RenderedObject[] {
  const lines = readFileSync(fixtureOf(name), 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as RenderedObject);
}
