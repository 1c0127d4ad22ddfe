import assert from 'node:assert/strict';
import { OBJECT_SCHEMA } from '../../../../packages/api/schema.gen.ts';
import type { Application, Gateway, InferenceStackSpec } from '../../../../packages/api/types.ts';
import { objectAt } from '../../../../packages/lib/json.ts';
import { offlineContext } from '../../../../packages/render/offline-context.ts';
import { render } from '../../../../packages/render/render.ts';
import {
  APPLICATION_SAMPLES,
  GATEWAY_SAMPLES,
  type Sample,
  SPEC_SAMPLES,
} from '../../../support/people/field-samples.ts';
import { stackWith } from '../../../support/people/stacks.ts';

function rendered(spec: InferenceStackSpec): string {
  const stack = stackWith(spec);
  return JSON.stringify(render(stack, offlineContext(stack)).objects);
}

/** Fields of a part of the spec, and how a value of the part becomes a spec. */
interface Part<Value> {
  readonly name: string;
  readonly fields: readonly string[];
  readonly samples: Readonly<Record<string, Sample<Value> | string>>;
  readonly within: (value: object) => InferenceStackSpec;
}

const fieldsAt = (...path: readonly string[]): string[] =>
  Object.keys(objectAt(OBJECT_SCHEMA, ...['spec', ...path].flatMap((field) => ['properties', field]), 'properties'));

const PARTS: readonly Part<never>[] = [
  { name: 'spec', fields: fieldsAt(), samples: SPEC_SAMPLES as never, within: (spec) => spec },
  {
    name: 'gateway',
    fields: fieldsAt('gateway'),
    samples: GATEWAY_SAMPLES as never,
    within: (gateway: Gateway) => ({ gateway }),
  },
  {
    name: 'application',
    fields: fieldsAt('applicationTemplate'),
    samples: APPLICATION_SAMPLES as never,
    within: (llm: Application) => ({ applications: { llm } }),
  },
];

for (const { name, fields, samples, within } of PARTS) {
  describe(`a field of the ${name}`, () => {
    it('has a sample, or a reason why it renders nothing', () => {
      assert.deepEqual(Object.keys(samples).sort(), fields.toSorted());
    });

    for (const [field, sample] of Object.entries(samples)) {
      if (typeof sample === 'string') continue;
      it(`renders something: ${field}`, () => {
        const { value, beside = {} } = sample as Sample<object>;
        assert.notEqual(rendered(within({ ...beside, [field]: value })), rendered(within(beside)));
      });
    }
  });
}

describe('a field without effect', () => {
  for (const field of ['ingress', 'service', 'exportPrometheusMetrics'] as const) {
    it(`renders nothing: ${field}`, () => {
      const value = field === 'exportPrometheusMetrics' ? true : { enabled: true };
      const bare = rendered({ applications: { llm: {} } });
      assert.equal(rendered({ applications: { llm: { [field]: value } } }), bare);
    });
  }

  it('renders something in company: weight', () => {
    const model: Application = { engine: 'vllm', model: { name: 'org/llm' }, aliases: ['llm'] };
    const shared = (weight: number): InferenceStackSpec => ({ applications: { a: model, b: { ...model, weight } } });
    assert.notEqual(rendered(shared(3)), rendered(shared(1)));
  });
});
