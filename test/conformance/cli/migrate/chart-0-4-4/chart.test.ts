import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { convertChart044 } from '../../../../../cli/migrate/chart-0-4-4.ts';
import { validate } from '../../../../../packages/api/validate.ts';
import { checkout } from '../../../../../packages/lib/checkout.ts';
import { textAt } from '../../../../../packages/lib/json.ts';
import type { RenderedObject } from '../../../../../packages/render/model.ts';
import { render } from '../../../../../packages/render/render.ts';
import { contextWith, stackWith } from '../../../../support/people/stacks.ts';
import { readCases, readFixture, type ValuesCase } from './case.ts';
import { ADDED, DIFFERENCES, LEFT_OUT, ROUTES_TITLE, routesOf } from './differences.ts';
import { isGateway, type Pair, tidy } from './pair.ts';

const CASES = readCases();

describe('values of chart 0.4.4, converted', () => {
  for (const [name, valuesCase] of CASES) {
    it(`give the objects that the chart gives, for ${name}`, () => {
      const { chart, ours } = both(name, valuesCase);
      assert.deepEqual(Object.keys(ours), Object.keys(chart));
      for (const [key, pair] of pairs(chart, ours)) {
        for (const { level } of DIFFERENCES) level(pair, valuesCase);
        assert.deepEqual(tidy(pair.ours), tidy(pair.chart), key);
      }
    });

    it(`give the routes that the chart gives, for ${name}`, () => {
      const [theirs, our] = [readFixture(name), rendered(valuesCase)].map((objects) => routesOf(tableOf(objects)));
      assert.deepEqual(our, theirs);
    });
  }
});

describe('every difference from chart 0.4.4', () => {
  const page = readFileSync(`${checkout}/docs/reference/chart-0-4-4-differences.md`, 'utf8');
  for (const { title } of [...DIFFERENCES, ADDED, LEFT_OUT, { title: ROUTES_TITLE }]) {
    it(`is documented: ${title}`, () => assert.ok(page.includes(`## ${title}\n`)));
  }

  for (const { title, level } of DIFFERENCES) {
    it(`is met by some case: ${title}`, () => {
      const met = [...CASES].some(([name, valuesCase]) => {
        const { chart, ours } = both(name, valuesCase);
        return pairs(chart, ours).some(([, pair]) => {
          const before = JSON.stringify(tidy(pair));
          level(pair, valuesCase);
          return JSON.stringify(tidy(pair)) !== before;
        });
      });
      assert.ok(met);
    });
  }
});

type ByKey = Readonly<Record<string, RenderedObject>>;

function rendered({ release, namespace, values }: ValuesCase): readonly RenderedObject[] {
  const stack = stackWith(convertChart044(values, release).spec, release, namespace);
  assert.deepEqual(validate(stack), { valid: true, stack });
  return render(stack, contextWith()).objects;
}

function both(name: string, valuesCase: ValuesCase): { chart: ByKey; ours: ByKey } {
  const isAdded = ({ kind }: RenderedObject): boolean => ADDED.kinds.some((added) => added === kind);
  const compared = (objects: readonly RenderedObject[]): RenderedObject[] =>
    objects.filter(({ kind }) => kind !== 'ConfigMap');
  return {
    chart: byKey(compared(readFixture(name).filter((object) => !LEFT_OUT.is(object)))),
    ours: byKey(compared(rendered(valuesCase).filter((object) => !isAdded(object)))),
  };
}

function pairs(chart: ByKey, ours: ByKey): [key: string, pair: Pair][] {
  return Object.entries(chart).flatMap(([key, object]) => {
    const our = ours[key];
    return our === undefined ? [] : [[key, structuredClone({ chart: object, ours: our })]];
  });
}

/** Objects by kind, and the part of the release that they are for. */
function byKey(objects: RenderedObject[]): ByKey {
  const entries = objects.map((object) => [`${object.kind} of ${partOf(object)}`, object] as const);
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

function partOf(object: RenderedObject): string {
  const { labels } = object.metadata;
  if (isGateway(object)) return 'the gateway';
  return (
    labels['app.kubernetes.io/model-group'] ?? textAt(labels, 'app.kubernetes.io/component').replace('application-', '')
  );
}

function tableOf(objects: readonly RenderedObject[]): unknown {
  const found = objects.find((object) => object.kind === 'ConfigMap' && isGateway(object) && !LEFT_OUT.is(object));
  return JSON.parse(textAt(found, 'data', 'config.json') + textAt(found, 'data', 'routes.json'));
}
