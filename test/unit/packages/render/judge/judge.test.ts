import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import yaml from 'js-yaml';
import { OBJECT_SCHEMA } from '../../../../../packages/api/schema.gen.ts';
import type { Schema } from '../../../../../packages/api/schema.ts';
import { patternMessage, patternRemedy } from '../../../../../packages/api/patterns.ts';
import { structuralProblems } from '../../../../../packages/api/structural.ts';
import type { Application, InferenceStack, InferenceStackSpec } from '../../../../../packages/api/types.ts';
import { objectAt, objectsAt, textAt, valueAt } from '../../../../../packages/lib/json.ts';
import { formatProblem } from '../../../../../packages/lib/problem.ts';
import { podProblems } from '../../../../../packages/render/judge/judge.ts';
import { POD_PARTS } from '../../../../../packages/render/judge/schemas.ts';
import { offlineContext } from '../../../../../packages/render/offline-context.ts';
import { render } from '../../../../../packages/render/render.ts';
import { CHART_1_8_2, readCases } from '../../../../conformance/packages/render/case.ts';
import { stackWith } from '../../../../support/people/stacks.ts';

/** Every stack of the examples and the tutorials. */
function examples(): readonly InferenceStack[] {
  return globSync('examples/**/*.yaml')
    .flatMap((file) => yaml.loadAll(readFileSync(file, 'utf8')))
    .filter((document) => textAt(document, 'kind') === 'InferenceStack') as InferenceStack[];
}

const told = (spec: InferenceStackSpec): string[] => podProblems(stackWith(spec)).map(formatProblem);

describe('the judgement of pods', () => {
  it('finds nothing wrong with any example', () => {
    assert.ok(examples().length > 5);
    for (const stack of examples()) assert.deepEqual(podProblems(stack).map(formatProblem), []);
  });

  it('finds nothing wrong with any values that the chart is compared by', () => {
    const cases = [...readCases(), ...CHART_1_8_2.cases()];
    assert.ok(cases.length > 20);
    for (const [name, { values }] of cases) assert.deepEqual(told(values as InferenceStackSpec), [], name);
  });

  it('knows every field that the operator itself writes', () => {
    for (const stack of examples()) {
      for (const object of render(stack, offlineContext(stack)).objects) {
        const pod = objectAt(object, 'spec', 'template', 'spec');
        for (const container of objectsAt(pod, 'containers')) {
          for (const [part, schema] of Object.entries(POD_PARTS)) {
            const value = valueAt(container, part) ?? valueAt(pod, part);
            if (value !== undefined) assert.deepEqual(structuralProblems(schema, value, part), []);
          }
        }
      }
    }
  });

  it('takes an application and its template together, as the operator does', () => {
    const applicationTemplate: Application = { readinessProbe: { httpGet: { port: 3000 } } };
    const slow: Application = { readinessProbe: { periodSeconds: 30 } };
    assert.deepEqual(told({ applicationTemplate, applications: { slow } }), []);
    const both: Application = { readinessProbe: { tcpSocket: { port: 3000 } } };
    assert.deepEqual(told({ applicationTemplate, applications: { both } }), [
      'spec.applications.both.readinessProbe.tcpSocket: is a second way to ask, beside httpGet. Leave one.',
    ]);
  });

  it('names the template where the template is wrong, once', () => {
    const applicationTemplate: Application = { resources: { limits: { memory: '8GB' } } };
    assert.deepEqual(told({ applicationTemplate, applications: { a: {}, b: {} } }), [
      'spec.applicationTemplate.resources.limits.memory: is not an amount (got "8GB"). Did you mean 8Gi?',
    ]);
  });

  it('takes null for what is not there', () => {
    const application = {
      livenessProbe: null,
      tolerations: null,
      resources: { limits: null },
    } as unknown as Application;
    assert.deepEqual(told({ applications: { application } }), []);
  });
});

describe('a pattern of the API', () => {
  it('is told in words, with an example', () => {
    const patterns = patternsOf(OBJECT_SCHEMA);
    assert.ok(patterns.length > 10);
    for (const schema of patterns) {
      assert.match(patternMessage(schema), /^must /, schema.pattern);
      assert.match(patternRemedy(schema) ?? '', /^[A-Z].*\.$/, schema.pattern);
    }
  });
});

function patternsOf(schema: Schema): readonly Schema[] {
  const inner = [...Object.values(schema.properties ?? {}), schema.items, schema.additionalProperties];
  return [
    ...(schema.pattern === undefined ? [] : [schema]),
    ...inner.flatMap((each) => (each === undefined ? [] : patternsOf(each))),
  ];
}
