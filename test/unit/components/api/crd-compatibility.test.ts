import assert from 'node:assert/strict';
import { crdIncompatibilities } from '../../../../components/api/crd-compatibility.ts';
import type { Definition } from '../../../../components/api/crd-compatibility.ts';
import type { SchemaNode } from '../../../../components/api/schema-compatibility.ts';
import { RULES } from '../../../../packages/api/rules.ts';
import { formatProblem } from '../../../../packages/lib/problem.ts';

function definition(spec: SchemaNode, overrides: Partial<Definition['spec']> = {}, status?: SchemaNode): Definition {
  const properties = { spec, ...(status === undefined ? {} : { status }) };
  const schema = { openAPIV3Schema: { type: 'object', properties } };
  return {
    metadata: { name: 'things.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind: 'Thing', plural: 'things' },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
      ...overrides,
    },
  };
}

function object(properties: Record<string, SchemaNode>, more: SchemaNode = {}): SchemaNode {
  return { type: 'object', properties, ...more };
}

const PREFIX = 'CustomResourceDefinition things.example.com: ';
const SUFFIX = '. Keep what exists and add to it: the stacks of every team rely on it.';

const RETIRED =
  'spec.versions[v1]: is no longer served. Serve it, or retire it as docs/how-to/retire-an-api-version.md says.';

function problems(before: Definition, after: Definition): string[] {
  return crdIncompatibilities(before, after)
    .map(formatProblem)
    .map((line) => line.replace(PREFIX, '').replace(SUFFIX, ''));
}

const text = { type: 'string' };
const OPEN = { 'x-kubernetes-preserve-unknown-fields': true };

describe('a change of a CRD', () => {
  it('is compatible when it only adds', () => {
    const before = definition(object({ name: { ...text, maxLength: 10, enum: ['a'] } }));
    const after = definition(
      object({
        name: { ...text, maxLength: 20, enum: ['a', 'b'], description: 'The name.' },
        size: { type: 'integer' },
      }),
    );
    assert.deepEqual(problems(before, after), []);
  });

  describe('that adds a rule of ours', () => {
    const rule = RULES.find(({ onlyWith }) => onlyWith?.includes('gateway.kind'));
    const withRule = { 'x-kubernetes-validations': [{ rule: rule?.cel, message: rule?.message }] };
    const known = object({ gateway: object({ kind: text }) });

    it('is compatible while nobody could say what the rule is about', () => {
      assert.deepEqual(problems(definition(object({})), definition({ ...known, ...withRule })), []);
    });

    it('is not once somebody could, in a field or in an open object', () => {
      for (const before of [known, object({ gateway: { ...object({}), ...OPEN } })]) {
        const found = problems(definition(before), definition({ ...known, ...OPEN, ...withRule }));
        assert.match(found.join(), /spec\.versions\[v1\]\.spec: has a new rule/);
      }
    });
  });

  const narrowed: Record<string, [SchemaNode, SchemaNode, string]> = {
    'removes a field': [
      object({ a: text, b: text }),
      object({ a: text }),
      'spec.versions[v1].spec.b: is gone: what stacks say there would be erased',
    ],
    'changes a type': [
      object({ a: text }),
      object({ a: { type: 'integer' } }),
      'spec.versions[v1].spec.a: type was string (got "integer")',
    ],
    'requires a field': [
      object({ a: text }),
      object({ a: text }, { required: ['a'] }),
      'spec.versions[v1].spec.a: is now required, and was not before',
    ],
    'drops a value of an enum': [
      object({ a: { ...text, enum: ['x', 'y'] } }),
      object({ a: { ...text, enum: ['x'] } }),
      'spec.versions[v1].spec.a: is no longer allowed (got "y")',
    ],
    'adds an enum': [
      object({ a: text }),
      object({ a: { ...text, enum: ['x'] } }),
      'spec.versions[v1].spec.a: any value was allowed (got ["x"])',
    ],
    'lowers a maximum': [
      object({ a: { type: 'integer', maximum: 5 } }),
      object({ a: { type: 'integer', maximum: 4 } }),
      'spec.versions[v1].spec.a: maximum was 5 (got 4)',
    ],
    'adds a minimum': [
      object({ a: { type: 'integer' } }),
      object({ a: { type: 'integer', minimum: 1 } }),
      'spec.versions[v1].spec.a: minimum was not set (got 1)',
    ],
    'changes a pattern': [
      object({ a: { ...text, pattern: '^a' } }),
      object({ a: { ...text, pattern: '^b' } }),
      'spec.versions[v1].spec.a: pattern was "^a" (got "^b")',
    ],
    'forbids null': [
      object({ a: { ...text, nullable: true } }),
      object({ a: text }),
      'spec.versions[v1].spec.a: null was allowed',
    ],
    'stops keeping unknown fields': [
      object({}, OPEN),
      object({}),
      'spec.versions[v1].spec: unknown fields were kept, and would now be erased',
    ],
    'adds a rule': [
      object({ a: text }),
      object({ a: text }, { 'x-kubernetes-validations': [{ rule: 'has(self.a)' }] }),
      'spec.versions[v1].spec: has a new rule (got "has(self.a)")',
    ],
    'narrows the items of a list': [
      object({ a: { type: 'array', items: text } }),
      object({ a: { type: 'array', items: { ...text, maxLength: 3 } } }),
      'spec.versions[v1].spec.a[]: maxLength was not set (got 3)',
    ],
    'narrows the values of a map': [
      object({ a: { type: 'object', additionalProperties: text } }),
      object({ a: { type: 'object', additionalProperties: { type: 'integer' } } }),
      'spec.versions[v1].spec.a.*: type was string (got "integer")',
    ],
    'types a field that could be anything': [
      object({ a: text }, OPEN),
      object({ a: text, b: text }, OPEN),
      'spec.versions[v1].spec.b: could be anything, and now has a schema',
    ],
    'merges a list in another way': [
      object({ a: { type: 'array', 'x-kubernetes-list-type': 'set' } }),
      object({ a: { type: 'array', 'x-kubernetes-list-type': 'atomic' } }),
      'spec.versions[v1].spec.a: x-kubernetes-list-type was "set" (got "atomic")',
    ],
    'no longer says how a list is merged': [
      object({ a: { type: 'array', 'x-kubernetes-list-type': 'set' } }),
      object({ a: { type: 'array' } }),
      'spec.versions[v1].spec.a: x-kubernetes-list-type was "set"',
    ],
    'closes a map': [
      object({ a: { type: 'object', additionalProperties: text } }),
      object({ a: { type: 'object' } }),
      'spec.versions[v1].spec.a: any key was allowed',
    ],
  };
  for (const [what, [before, after, message]] of Object.entries(narrowed)) {
    it(`is refused when it ${what}`, () => {
      assert.deepEqual(problems(definition(before), definition(after)), [message]);
    });
  }

  it('may name a field that could be anything, as long as it still can', () => {
    const after = definition(object({ b: { ...OPEN, description: 'Anything.' } }, OPEN));
    assert.deepEqual(problems(definition(object({}, OPEN)), after), []);
  });

  it('may say how a list is merged when that is how it is merged anyway', () => {
    const list = { type: 'array', items: text };
    const after = definition(object({ a: { ...list, 'x-kubernetes-list-type': 'atomic' } }));
    assert.deepEqual(problems(definition(object({ a: list })), after), []);
  });

  describe('in status', () => {
    const of = (status?: SchemaNode): Definition => definition(object({}), {}, status);

    it('may take away what the operator makes anew', () => {
      const before = of(object({ claim: object({ major: text }), url: text, gpus: { type: 'integer' } }));
      const after = of(object({ claim: object({ major: text }), gpus: { type: 'integer', maximum: 8 } }));
      assert.deepEqual(problems(before, after), []);
    });

    for (const field of ['claim', 'defaults', 'inventory', 'aFieldOfALaterVersion']) {
      it(`is refused when it narrows or drops ${field}, which the operator could not make anew`, () => {
        const path = `spec.versions[v1].status.${field}`;
        const before = of(object({ [field]: object({ a: text }) }));
        assert.deepEqual(problems(before, of(object({ [field]: object({}) }))), [
          `${path}.a: is gone: what stacks say there would be erased`,
        ]);
        assert.deepEqual(problems(before, of(object({}))), [`${path}: is gone: what stacks say there would be erased`]);
      });
    }

    it('may say how writers are merged, since there is one', () => {
      const claim = object({});
      const atomic = { 'x-kubernetes-map-type': 'atomic' };
      assert.deepEqual(problems(of(object({ claim })), of(object({ claim }, atomic))), []);
      assert.deepEqual(problems(of(object({ claim }, atomic)), of(object({ claim }))), []);
      assert.deepEqual(problems(definition(object({ a: object({}) })), definition(object({ a: object({}, atomic) }))), [
        'spec.versions[v1].spec.a: x-kubernetes-map-type was not set (got "atomic")',
      ]);
    });

    it('is refused when it drops all of it', () => {
      assert.deepEqual(problems(of(object({ claim: text })), of()), [
        'spec.versions[v1].status: is gone: what stacks say there would be erased',
      ]);
    });

    it('is refused when it requires a field, because an earlier operator could no longer write its claim', () => {
      assert.deepEqual(problems(of(object({ url: text })), of(object({ url: text }, { required: ['url'] }))), [
        'spec.versions[v1].status.url: is now required, and was not before',
      ]);
    });
  });

  it('may require a field that has a default', () => {
    const after = definition(object({ a: { ...text, default: 'x' } }, { required: ['a'] }));
    assert.deepEqual(problems(definition(object({ a: text })), after), []);
  });

  it('is refused when a served version is dropped, or no longer served', () => {
    const before = definition(object({}));
    const next = { name: 'v2', served: true, storage: true };
    assert.deepEqual(
      problems({ ...before, status: { storedVersions: [] } }, definition(object({}), { versions: [next] })),
      [RETIRED],
    );
    const unserved = { name: 'v1', served: false, storage: false };
    assert.deepEqual(problems(before, definition(object({}), { versions: [unserved, next] })), [RETIRED]);
  });

  it('is refused when a version goes that objects are stored in, even if it is not served', () => {
    const before: Definition = {
      ...definition(object({}), { versions: [{ name: 'v2', served: true, storage: true }] }),
      status: { storedVersions: ['v1', 'v2'] },
    };
    assert.deepEqual(problems(before, { ...before, status: {} }), [
      'spec.versions: is gone, but objects may be stored in it (got "v1"). ' +
        'Run `fleet api-versions --rewrite` first, which stores them in the version of today.',
    ]);
  });

  it('is refused when the scope changes', () => {
    const before = definition(object({}));
    assert.deepEqual(problems(before, definition(object({}), { scope: 'Cluster' })), [
      'spec.scope: was Namespaced (got "Cluster")',
    ]);
  });
});
