import assert from 'node:assert/strict';
import { boundProblems } from '../../../../packages/api/bounds.ts';
import type { Affinity } from '../../../../packages/api/types.ts';
import { validate } from '../../../../packages/api/validate.ts';
import { formatProblem } from '../../../../packages/lib/problem.ts';
import { JSON_BOUNDS, omittedFrom, parseObject } from '../../../../packages/kube/client/bounded-json.ts';
import { stackWith } from '../../../support/people/stacks.ts';

const nested = (levels: number): unknown => {
  let value: unknown = {};
  for (let level = 1; level < levels; level += 1) value = level % 2 === 0 ? { a: value } : [value];
  return value;
};
const applications = (count: number, values: object = {}): object =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`a${String(index)}`, values]));
const messages = (spec: unknown): string[] => {
  const { excess, inexact } = boundProblems(spec);
  return [...excess, ...inexact].map(formatProblem);
};

describe('what a spec may come to', () => {
  it('leaves room for a hundred applications with long settings each', () => {
    const values = { env: [{ name: 'A', value: 'x'.repeat(1200) }] };
    assert.deepEqual(messages({ applicationTemplate: values, applications: applications(100, values) }), []);
  });

  it('counts the template once for each application', () => {
    const applicationTemplate = { readerConfig: { extra: 'x'.repeat(50_000) } };
    assert.deepEqual(messages({ applicationTemplate, applications: applications(5) }), []);
    assert.deepEqual(messages({ applicationTemplate, applications: applications(100) }), [
      'spec: comes to 4888 KiB with the template in each application; at most 256 KiB can be served. ' +
        'Mount long texts from a ConfigMap, or divide the stack.',
    ]);
  });

  it('counts values, however short they are', () => {
    const zeros = (count: number): number[] => Array.from({ length: count }, () => 0);
    assert.deepEqual(messages({ gateway: { config: { list: zeros(9_000) } } }), []);
    assert.deepEqual(messages({ gateway: { config: { list: zeros(10_000) } } }), [
      'spec: comes to 10004 values; at most 10000 values can be served. ' +
        'Mount long texts from a ConfigMap, or divide the stack.',
    ]);
    const applicationTemplate = { readerConfig: { list: zeros(1000) } };
    assert.match(
      messages({ applicationTemplate, applications: applications(100) })[0] ?? '',
      /100\d\d\d values with the template in each application; at most 25000 values/,
    );
  });

  it('counts values as they are counted before they are parsed', () => {
    const empty = { config: { list: Array.from({ length: 12_000 }, () => ({})), text: 'x'.repeat(70_000) } };
    const document = Buffer.from(JSON.stringify({ metadata: { name: 'a' }, spec: { gateway: empty } }));
    assert.equal(omittedFrom(parseObject(document) as object).length, 1);
    assert.match(messages({ gateway: empty })[0] ?? '', /^spec: comes to 24005 values;/);
  });

  it('counts bytes as JSON has them, not characters', () => {
    const spec = (letter: string): unknown => ({
      gateway: { config: { text: letter.repeat(128 * 1024 - 100) } },
    });
    assert.deepEqual(messages(spec('a')), []);
    assert.equal(messages(spec('…')).length, 1);
    assert.equal(messages(spec('\u0001')).length, 1);
  });

  it('has no name that is longer than any', () => {
    assert.deepEqual(messages({ gateway: { config: { ['x'.repeat(1024)]: 0 } } }), []);
    assert.deepEqual(messages({ gateway: { config: { ['x'.repeat(1025)]: 0, ['y'.repeat(2000)]: 0 } } }), [
      'spec.gateway.config: has a name of 1025 characters; at most 1024 can be served. Use a shorter name.',
    ]);
  });

  it('has levels enough for everything that Kubernetes knows, and an end', () => {
    assert.deepEqual(messages({ gateway: { affinity: nested(JSON_BOUNDS.depth - 2) } }), []);
    assert.deepEqual(messages({ gateway: { affinity: nested(JSON_BOUNDS.depth - 1) } }), [
      'spec: is nested more than 32 levels deep. Nothing that Kubernetes or the runtime knows is that deep.',
    ]);
  });

  it('is found out of a spec of any depth', () => {
    const result = validate(stackWith({ gateway: { affinity: nested(9000) as Affinity } }));
    assert.equal(result.valid, false);
  });

  it('has no number that would be passed on as another', () => {
    const spec = JSON.parse('{"applications":{"llm":{"readerConfig":{"seed":9007199254740993}}}}') as unknown;
    assert.deepEqual(messages(spec), [
      'spec.applications.llm.readerConfig.seed: is beyond 9007199254740991, the largest whole number that is passed on ' +
        'unchanged (got 9007199254740992). Use a smaller number, or write it in quotes.',
    ]);
    assert.deepEqual(messages({ gateway: { config: { seed: Number.MAX_SAFE_INTEGER, ratio: 0.1 } } }), []);
  });

  it('is told in a few lines, however much is wrong', () => {
    const seeds = Array.from({ length: 1000 }, () => 2 ** 60);
    assert.equal(messages({ gateway: { config: { seeds } } }).length, 5);
  });
});
