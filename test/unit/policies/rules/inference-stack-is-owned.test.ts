import assert from 'node:assert/strict';
import { render } from '../../../../packages/render/render.ts';
import type { Facts } from '../../../../policies/knowledge/facts.ts';
import { inferenceStackIsOwned } from '../../../../policies/rules/inference-stack-is-owned.ts';
import { contextWith } from '../../../support/people/stacks.ts';
import { extension, stack } from '../../../support/policies/objects.ts';
import { unknowns, violations, withChanges } from '../../../support/policies/support.ts';

const APPLICATION = ['spec', 'applications', 'llama'];

function fleetOf(...versions: readonly string[]): Facts {
  const bundles = versions.map((version) => ({
    name: `inference-stack-operator.v${version}`,
    image: '',
    properties: [{ type: 'olm.package', value: { packageName: 'inference-stack-operator', version } }],
  }));
  const channels = [...new Set(versions.map((version) => version.split('.')[0] ?? ''))].map((major) => ({
    name: `stable-v${major}`,
    entries: bundles.filter(({ name }) => name.includes(`.v${major}.`)).map(({ name }) => ({ name })),
  }));
  const content = { package: { name: 'inference-stack-operator' }, bundles, channels };
  return { catalogs: [{ name: 'inference-stack-catalog', packages: [content], isKnown: true }] };
}

const FLEET = [extension(1), extension(2)];
const FACTS = fleetOf('1.4.0', '2.1.0');

describe('inference-stack-is-owned', () => {
  for (const label of ['v2', '2', '2.1', '2.1.0', '1.0.3']) {
    it(`admits a stack that asks for ${label}`, () => {
      assert.deepEqual(violations(inferenceStackIsOwned, [...FLEET, stack(label)], FACTS), []);
    });
  }

  const refused: Record<string, string> = {
    '': 'should have the label operatorVersion: without it no operator serves the stack.',
    latest: 'should have a label operatorVersion such as v3, 3.1 or 3.1.3, not "latest".',
    v3: 'should ask for an operator that the fleet serves: operatorVersion is v3, the fleet has 1.4.0, 2.1.0.',
    '2.2': "should ask for at most the operator's version: operatorVersion is 2.2, the fleet has 2.1.0.",
  };
  for (const [label, message] of Object.entries(refused)) {
    it(`refuses a stack that asks for "${label}"`, () => {
      assert.deepEqual(violations(inferenceStackIsOwned, [...FLEET, stack(label)], FACTS), [
        `InferenceStack team-a/chat ${message}`,
      ]);
    });
  }

  it('refuses any stack while there is no operator', () => {
    assert.deepEqual(violations(inferenceStackIsOwned, [stack()]), [
      'InferenceStack team-a/chat should ask for an operator that the fleet serves: operatorVersion is v2, the fleet has no operator.',
    ]);
  });

  it('judges the earlier kind alike', () => {
    const old = withChanges(stack(''), [['kind'], 'ModelOrchestra'], [['apiVersion'], 'models.titanml.co/v1alpha1']);
    assert.deepEqual(violations(inferenceStackIsOwned, [...FLEET, old], FACTS), [
      'ModelOrchestra team-a/chat should have the label operatorVersion: without it no operator serves the stack.',
    ]);
  });

  it('says that a least version cannot be judged while the catalog is not known', () => {
    const facts: Facts = { catalogs: [{ name: 'inference-stack-catalog', packages: [], isKnown: false }] };
    assert.deepEqual(violations(inferenceStackIsOwned, [...FLEET, stack('2.5')], facts), []);
    assert.deepEqual(unknowns(inferenceStackIsOwned, [...FLEET, stack('2.5')], facts), [
      'InferenceStack team-a/chat: the version of operator v2 is known only after the update.',
    ]);
  });

  const gpus: Record<string, readonly [(string | number)[], unknown, string]> = {
    'fewer GPUs than the model is spread over': [
      [...APPLICATION, 'gpu'],
      { product: 'NVIDIA-A100-SXM4-80GB' },
      'asks for 1 GPUs, but spreads its model over 2 (readerConfig.tensorParallel)',
    ],
    'no GPU for a model that is spread': [
      [...APPLICATION, 'gpu'],
      undefined,
      'spreads its model over 2 GPUs (readerConfig.tensorParallel), but asks for none',
    ],
    'GPUs for a model on the CPU': [
      [...APPLICATION, 'readerConfig'],
      { device: 'cpu' },
      'asks for 2 GPUs, but its readerConfig.device is cpu',
    ],
  };
  for (const [what, [path, value, message]] of Object.entries(gpus)) {
    it(`refuses ${what}`, () => {
      assert.deepEqual(violations(inferenceStackIsOwned, [...FLEET, withChanges(stack(), [path, value])], FACTS), [
        `InferenceStack team-a/chat: application llama ${message}.`,
      ]);
    });
  }

  it('reads GPUs from resources and from the template, too', () => {
    const object = withChanges(
      stack(),
      [[...APPLICATION], {}],
      [
        ['spec', 'applicationTemplate'],
        { resources: { limits: { 'nvidia.com/gpu': '4' } }, readerConfig: { tensorParallel: 2 } },
      ],
    );
    assert.deepEqual(violations(inferenceStackIsOwned, [...FLEET, object], FACTS), [
      'InferenceStack team-a/chat: application llama asks for 4 GPUs, but spreads its model over 2 (readerConfig.tensorParallel).',
    ]);
  });

  const readerConfig = { tensorParallel: 2, device: 'cuda' };
  const agreeing: Record<string, readonly [application: object, template: object]> = {
    'slices of GPUs': [{ readerConfig, resources: { limits: { 'nvidia.com/mig-3g.20gb': '2' } } }, {}],
    'GPUs in thousandths': [{ readerConfig, resources: { limits: { 'nvidia.com/gpu': '2000m' } } }, {}],
    'GPUs that are only requested': [{ readerConfig, resources: { requests: { 'amd.com/gpu': '2' } } }, {}],
    'a count of the template beside a product of the application': [
      { readerConfig, gpu: { product: 'NVIDIA-A100-SXM4-80GB' } },
      { gpu: { count: 2 } },
    ],
  };
  for (const [what, [application, applicationTemplate]] of Object.entries(agreeing)) {
    it(`counts as the operator does: ${what}`, () => {
      const spec = { applicationTemplate, applications: { llama: application } };
      const object = withChanges(stack(), [['spec'], spec]);
      const { applications } = render({ apiVersion: '', kind: '', metadata: { name: 'chat' }, spec }, contextWith());
      assert.equal(applications['llama']?.gpu?.count, 2);
      assert.deepEqual(violations(inferenceStackIsOwned, [...FLEET, object], FACTS), []);
    });
  }

  describe('about open engines', () => {
    const found = (application: object, applicationTemplate: object = {}): string[] => {
      const applications = { llama: { engine: 'vllm', model: { name: 'org/model' }, ...application } };
      const object = withChanges(stack(), [['spec'], { applicationTemplate, applications }]);
      return violations(inferenceStackIsOwned, [...FLEET, object], FACTS).map((line) =>
        line.replace('InferenceStack team-a/chat: application llama ', ''),
      );
    };

    it('refuses arguments that spread a model over other GPUs than the pods have', () => {
      assert.deepEqual(found({ gpu: { count: 2 }, args: ['--tensor-parallel-size', '4'] }), [
        'asks for 2 GPUs, but spreads its model over 4 (--tensor-parallel-size).',
      ]);
      assert.deepEqual(found({ engine: 'sglang' }, { args: ['--tp=2'] }), [
        'spreads its model over 2 GPUs (--tp), but asks for none.',
      ]);
    });

    it('admits those that agree, and those that nobody can judge from outside', () => {
      assert.deepEqual(found({ gpu: { count: 2 }, args: ['-tp', '2'] }), []);
      assert.deepEqual(found({ gpu: { count: 2 } }), []);
      assert.deepEqual(found({ gpu: { count: 4 }, args: ['-tp', '2', '-pp', '2'] }), []);
      assert.deepEqual(found({ gpu: { count: 2 }, args: [] }, { args: ['-tp', '4'] }), []);
      assert.deepEqual(found({ engine: 'llamacpp', gpu: { count: 2 }, args: ['-ngl', '99'] }), []);
    });
  });

  it('leaves to the operator’s notices what may run all the same', () => {
    const onGpu = withChanges(stack(), [[...APPLICATION], { readerConfig: { device: 'cuda' } }]);
    assert.deepEqual(violations(inferenceStackIsOwned, [...FLEET, onGpu], FACTS), []);
    const external = { engine: 'external', gpu: { count: 2 }, readerConfig: { device: 'cpu', tensorParallel: 4 } };
    const beside = withChanges(stack(), [[...APPLICATION], external]);
    assert.deepEqual(violations(inferenceStackIsOwned, [...FLEET, beside], FACTS), []);
  });
});
