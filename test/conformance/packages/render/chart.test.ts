import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import yaml from 'js-yaml';
import { CONFIG_HASH_ANNOTATION } from '../../../../packages/api/constants.ts';
import { validate } from '../../../../packages/api/validate.ts';
import { isObject, type OpenObject } from '../../../../packages/lib/json.ts';
import type { RenderedObject } from '../../../../packages/render/model.ts';
import { render } from '../../../../packages/render/render.ts';
import { contextWith, stackWith } from '../../../support/people/stacks.ts';
import { type ChartCase, readCases, readFixture } from './case.ts';
import { CHART_VALUES, sets } from './chart-values.ts';
import { ADDED_KINDS, asChartPrints, at, CONFIG_TITLE, DIFFERENCES } from './differences.ts';
import { ANY_HASH } from './pod-differences.ts';

const CASES = readCases();

describe('conformance with the public chart', () => {
  it('is judged by at least 60 sets of values', () => assert.ok(CASES.size >= 60, String(CASES.size)));

  it('is judged for every value of the chart', () => {
    const values = [...CASES.values()].map((chartCase) => chartCase.values);
    const missing = CHART_VALUES.filter((path) => !values.some((given) => sets(given, path)));
    assert.deepEqual(missing, []);
  });

  for (const [name, chartCase] of CASES) {
    it(`holds for ${name}`, () => {
      const stack = stackWith(chartCase.values, chartCase.release, chartCase.namespace);
      assert.deepEqual(validate(stack), { valid: true, stack });
      const ours = render(stack, contextWith()).objects.filter(({ kind }) => !isAdded(kind));
      assert.deepEqual(byKey(ours.map(comparable)), byKey(expectedOf(name, chartCase)));
    });
  }
});

describe('every difference from the public chart', () => {
  const page = readFileSync(new URL('../../../../docs/reference/chart-differences.md', import.meta.url), 'utf8');
  for (const title of [...DIFFERENCES.map((difference) => difference.title), ADDED_KINDS.title, CONFIG_TITLE]) {
    it(`is documented: ${title}`, () => assert.ok(page.includes(`## ${title}\n`)));
  }

  for (const difference of DIFFERENCES) {
    it(`is met by some case: ${difference.title}`, () => {
      const met = [...CASES].some(([name, { values, namespace }]) =>
        readFixture(name).some((object) => {
          const before = structuredClone(object);
          difference.apply(object, values, namespace);
          return JSON.stringify(before) !== JSON.stringify(object);
        }),
      );
      assert.ok(met);
    });
  }
});

function isAdded(kind: string): boolean {
  return ADDED_KINDS.kinds.some((added) => added === kind);
}

/** The chart's objects with every documented difference applied. */
function expectedOf(name: string, { values, namespace }: ChartCase): RenderedObject[] {
  const objects = readFixture(name);
  for (const object of objects) {
    for (const difference of DIFFERENCES) difference.apply(object, values, namespace);
    const text = at(object, 'data', 'config.yaml');
    if (typeof text === 'string') object['data'] = yaml.load(text);
  }
  return objects;
}

/** An object of the operator in the form in which it can be compared. */
function comparable(object: RenderedObject): RenderedObject {
  const copy = structuredClone(object);
  const text = at(copy, 'data', 'config.yaml');
  if (typeof text === 'string') copy['data'] = readAsChart(yaml.load(text));
  const annotations = at(copy, 'spec', 'template', 'metadata', 'annotations');
  if (isObject(annotations)) annotations[CONFIG_HASH_ANNOTATION] = ANY_HASH;
  return copy;
}

/** Values of server and readers as a reader of the chart's file would find them. */
function readAsChart(config: unknown): OpenObject {
  const { takeoff } = config as { takeoff: { server_config: OpenObject; readers_config: OpenObject | null } };
  const printed = (values: OpenObject): OpenObject =>
    Object.fromEntries(Object.entries(values).map(([key, value]) => [key, asChartPrints(value, yaml.load)]));
  const readers = takeoff.readers_config;
  return {
    takeoff: {
      server_config: printed(takeoff.server_config),
      readers_config:
        readers === null
          ? null
          : Object.fromEntries(Object.entries(readers).map(([key, value]) => [key, printed(value as OpenObject)])),
    },
  };
}

function byKey(objects: RenderedObject[]): Record<string, RenderedObject> {
  return Object.fromEntries(objects.map((object) => [`${object.kind}/${object.metadata.name}`, object]));
}
