import { readdirSync, readFileSync } from 'node:fs';
import yaml from 'js-yaml';
import type { InferenceStackSpec } from '../../../../packages/api/types.ts';
import type { RenderedObject } from '../../../../packages/render/model.ts';

/** Values of the public chart, and the release that they are for. Those of chart 0765d06 are also the spec of a stack. */
export interface ChartCase<Values = InferenceStackSpec> {
  readonly release: string;
  readonly namespace: string;
  readonly values: Values;
}

/** A version of the public chart, with what it is asked about and where its answers are. */
export interface Judge<Values = unknown> {
  readonly version: string;
  readonly cases: () => ReadonlyMap<string, ChartCase<Values>>;
  readonly fixtures: URL;
}

export const CHART_0765D06: Judge<InferenceStackSpec> = {
  version: '0765d06',
  cases: () => readCases(),
  fixtures: new URL('fixtures/', import.meta.url),
};

/** It is asked about the cases of the other version as well, but has generated ones of its own. */
export const CHART_1_8_2: Judge = {
  version: '1.8.2',
  cases: () =>
    new Map([...[...readCases()].filter(([name]) => !name.startsWith('generated-')), ...casesIn(CASES_1_8_2)]),
  fixtures: new URL('chart-1-8-2/fixtures/', import.meta.url),
};

export const JUDGES: readonly Judge[] = [CHART_0765D06, CHART_1_8_2];

export const CASES = new URL('cases/', import.meta.url);
export const CASES_1_8_2 = new URL('chart-1-8-2/cases/', import.meta.url);

/** Every case of chart 0765d06 by name. */
export function readCases(): ReadonlyMap<string, ChartCase> {
  return new Map(casesIn<InferenceStackSpec>(CASES));
}

function casesIn<Values>(folder: URL): [name: string, chartCase: ChartCase<Values>][] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'));
  return files.sort().map((file) => {
    const chartCase = yaml.load(readFileSync(new URL(file, folder), 'utf8'));
    return [file.replace('.yaml', ''), chartCase as ChartCase<Values>];
  });
}

/** Where the objects are kept that a chart renders for a case, one a line. */
export function fixtureOf({ fixtures }: Judge, name: string): URL {
  return new URL(`${name}.jsonl`, fixtures);
}

export function readFixture(judge: Judge, name: string): RenderedObject[] {
  const lines = readFileSync(fixtureOf(judge, name), 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as RenderedObject);
}
