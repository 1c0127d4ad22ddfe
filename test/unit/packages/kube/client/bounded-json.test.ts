import assert from 'node:assert/strict';
import fc from 'fast-check';
import { JSON_BOUNDS, omittedFrom, parseEvent, parseObject } from '../../../../../packages/kube/client/bounded-json.ts';

const read = (object: object): object => parseObject(Buffer.from(JSON.stringify(object))) as object;
const LONG = 'x'.repeat(70_000);
const zeros = (count: number): number[] => Array.from({ length: count }, () => 0);

describe('an object of the API server', () => {
  it('is read as it is, whatever is in its texts', () => {
    const anything = fc.object({ key: fc.string({ unit: 'binary' }), withNullPrototype: false });
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string(), anything), { maxLength: 5 }), (fields) => {
        const text = JSON.stringify({ ...Object.fromEntries(fields), '"\\': '\\"}],', long: LONG });
        assert.deepEqual(parseObject(Buffer.from(text)), JSON.parse(text));
      }),
      { numRuns: 30 },
    );
  });

  it('is read as it is, whatever its fields are called', () => {
    const text = `{"__proto__":{"kind":"Widget"},"constructor":1,"long":"${LONG}"}`;
    const object = parseObject(Buffer.from(text)) as { kind?: unknown };
    assert.deepEqual(object, JSON.parse(text));
    assert.equal(object.kind, undefined);
  });

  it('is read as it is, with white space between', () => {
    const object = {
      kind: 'Widget',
      metadata: { name: 'w', labels: {} },
      spec: { text: LONG, list: [1, [2, {}], 'a'] },
    };
    assert.deepEqual(parseObject(Buffer.from(JSON.stringify(object, undefined, 2))), object);
    assert.deepEqual(omittedFrom(read(object)), []);
  });

  const TOO_MUCH: Readonly<Record<string, unknown>> = {
    'of too many values': zeros(2 * JSON_BOUNDS.values),
    'that is too long': 'x'.repeat(JSON_BOUNDS.bytes),
    'that is nested too deep': [
      ...zeros(30_000).map(() => LONG.slice(0, 10)),
      JSON.parse('['.repeat(40) + ']'.repeat(40)),
    ],
  };
  for (const [title, spec] of Object.entries(TOO_MUCH)) {
    it(`is read without a field ${title}`, () => {
      const object = read({ kind: 'Widget', metadata: { name: 'w' }, spec, status: { ready: true } });
      assert.deepEqual(object, { kind: 'Widget', metadata: { name: 'w' }, status: { ready: true } });
      assert.deepEqual(
        omittedFrom(object).map(({ path }) => path),
        ['spec'],
      );
    });
  }

  it('is read without what is too much of its metadata, and with the rest of that', () => {
    const object = read({ metadata: { managedFields: zeros(2 * JSON_BOUNDS.values), name: 'w', uid: 'u' } });
    assert.deepEqual(object, { metadata: { name: 'w', uid: 'u' } });
    const [{ path, values } = { path: '', values: 0 }] = omittedFrom(object);
    assert.deepEqual({ path, values }, { path: 'metadata.managedFields', values: 2 * JSON_BOUNDS.values + 1 });
  });

  it('is read the same way out of an event', () => {
    const event = { type: 'ADDED', object: { metadata: { name: 'w' }, spec: zeros(JSON_BOUNDS.values + LONG.length) } };
    const { type, object } = parseEvent(Buffer.from(JSON.stringify(event))) as typeof event;
    assert.equal(type, 'ADDED');
    assert.deepEqual(object, { metadata: { name: 'w' } });
    assert.equal(omittedFrom(object).length, 1);
  });

  it('is refused where it breaks off', () => {
    const text = JSON.stringify({ metadata: { name: 'w' }, spec: LONG });
    assert.throws(() => parseObject(Buffer.from(text.slice(0, -10))), SyntaxError);
  });

  it('is refused if a name has no value, and not read for ever', () => {
    assert.throws(() => parseObject(Buffer.from(`1,{"kind" ${LONG}`)), SyntaxError);
  });

  it('are read no further than their metadata if they are known already', () => {
    const event = {
      type: 'MODIFIED',
      object: { metadata: { name: 'a', resourceVersion: '7' }, spec: { text: 'x'.repeat(100_000) } },
    };
    const line = Buffer.from(JSON.stringify(event));
    const versions: unknown[] = [];
    const known = parseEvent(line, ({ resourceVersion }) => versions.push(resourceVersion) > 0);
    assert.deepEqual(known, { type: 'MODIFIED', object: { metadata: event.object.metadata } });
    assert.deepEqual(versions, ['7']);
    assert.deepEqual(
      parseEvent(line, () => false),
      event,
    );
  });
});
