import assert from 'node:assert/strict';
import { loadLocated } from '../../../../packages/lib/yaml-lines.ts';

const YAML = `# a comment
kind: Stack

metadata:
  labels: { "a.b/c": d }
spec:
  # another
  env:
  - name: A
    value: b
  - name: A
  applications:
    a: {}
    b:
      image:

        tag: x
    c: &c
      weight: 1
    d: *c
---
spec: { list: [1, 1,
  3] }
`;

const lines = (text: string, document: number, paths: readonly string[]): (number | undefined)[] =>
  paths.map((path) => loadLocated(text)[document]?.lineOf(path));

describe('lines of values', () => {
  it('are those of their keys, or of their place in a list', () => {
    const paths = [
      'kind',
      'metadata.labels.a.b/c',
      'spec.env[0].value',
      'spec.env[1]',
      'spec.applications.b.image.tag',
    ];
    assert.deepEqual(lines(YAML, 0, paths), [2, 5, 10, 11, 17]);
    assert.deepEqual(lines(YAML, 1, ['spec.list[1]', 'spec.list[2]']), [22, 23]);
  });

  it('are those of what a missing value would be in', () => {
    assert.deepEqual(
      lines(YAML, 0, ['spec.env[1].value', 'spec.applications.a.model.name', 'status', '']),
      [11, 13, 2, 2],
    );
  });

  it('are found in JSON as well', () => {
    const json = JSON.stringify({ spec: { env: [{ name: 'A' }] } }, undefined, 2);
    assert.deepEqual(lines(json, 0, ['spec', 'spec.env[0].name']), [2, 5]);
  });

  it('of an alias are where it is written', () => {
    assert.deepEqual(lines(YAML, 0, ['spec.applications.d']), [20]);
  });

  it('of keys with brackets end at what they are in', () => {
    const text = 'a:\n  one: &x {"b]": c, "d[e": f}\n  two: *x\n';
    assert.deepEqual(lines(text, 0, ['a.two.b]', 'a.two.d[e', 'b]']), [1, 1, 1]);
  });

  it('come with the values', () => {
    assert.deepEqual(
      loadLocated('a: 1\n---\n- b\n').map(({ value }) => value),
      [{ a: 1 }, ['b']],
    );
    assert.deepEqual(loadLocated(''), []);
  });
});
