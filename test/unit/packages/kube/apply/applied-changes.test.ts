import assert from 'node:assert/strict';
import { appliedChanges } from '../../../../../packages/kube/apply/applied-changes.ts';
import type { FieldSet } from '../../../../../packages/kube/object.ts';

const OWNED: FieldSet = {
  'f:spec': {
    'f:terminationGracePeriodSeconds': {},
    'f:nodeSelector': {},
    'f:containers': {
      'k:{"name":"llm"}': {
        '.': {},
        'f:name': {},
        'f:image': {},
        'f:args': {},
        'f:env': {
          'k:{"name":"A"}': { '.': {}, 'f:name': {}, 'f:value': {} },
          'k:{"name":"B"}': { '.': {}, 'f:name': {} },
        },
        'f:ports': { 'k:{"containerPort":80,"protocol":"TCP"}': { '.': {}, 'f:containerPort': {} } },
        'f:resources': { 'f:limits': { 'f:cpu': {} } },
      },
    },
  },
};

interface Container {
  [field: string]: unknown;
}

const container = (): Container => ({
  name: 'llm',
  image: 'llm:1',
  args: ['--a', '--b'],
  env: [{ name: 'A', value: '1' }, { name: 'B' }],
  ports: [{ containerPort: 80 }],
  resources: { limits: { cpu: '1000m' } },
});

const template = (changes: Container = {}, pod: object = {}): object => ({
  spec: {
    terminationGracePeriodSeconds: 30,
    nodeSelector: { a: 'b' },
    containers: [{ ...container(), ...changes }],
    ...pod,
  },
});

/** As the API server has it: with defaults, and what others have added. */
const live = (changes: Container = {}): object =>
  template(
    {
      resources: { limits: { cpu: '1' } },
      ports: [{ containerPort: 80, protocol: 'TCP' }],
      terminationMessagePolicy: 'File',
      ...changes,
    },
    { dnsPolicy: 'ClusterFirst' },
  );

function changesOf(desired: object, value = live(), others: readonly FieldSet[] = []): string[] {
  return appliedChanges({ value, owned: OWNED, others }, desired).map((path) => path.join(' '));
}

const LLM = 'spec containers llm';

describe('what applying changes', () => {
  it('is nothing where the same is applied, whatever defaults and other spellings there are', () => {
    assert.deepEqual(changesOf(template()), []);
  });

  it('is nothing where a default is written that was filled in before', () => {
    assert.deepEqual(changesOf(template({ terminationMessagePolicy: 'File' })), []);
    assert.deepEqual(changesOf(template({ ports: [{ containerPort: 80, protocol: 'TCP' }] })), []);
  });

  it('is nothing where a default is no longer written', () => {
    const spec = { nodeSelector: { a: 'b' }, containers: [container()] };
    assert.deepEqual(changesOf({ spec }), []);
  });

  it('is what gets another value, and what is added', () => {
    assert.deepEqual(changesOf(template({ image: 'llm:2', command: ['x'] })), [`${LLM} image`, `${LLM} command`]);
    assert.deepEqual(changesOf(template({ args: ['--b', '--a'] })), [`${LLM} args`]);
    assert.deepEqual(changesOf(template({ resources: { limits: { cpu: '2' } } })), [`${LLM} resources limits cpu`]);
    assert.deepEqual(changesOf(template({ terminationMessagePolicy: 'FallbackToLogsOnError' })), [
      `${LLM} terminationMessagePolicy`,
    ]);
  });

  it('is what is no longer applied, unless somebody else has set it too', () => {
    const without = template({ env: [{ name: 'A', value: '1' }] });
    assert.deepEqual(changesOf(without), [`${LLM} env B`]);
    const other: FieldSet = {
      'f:spec': { 'f:containers': { 'k:{"name":"llm"}': { 'f:env': { 'k:{"name":"B"}': { '.': {} } } } } },
    };
    assert.deepEqual(changesOf(without, live(), [other]), []);
  });

  it('is the order of elements, which is part of a list', () => {
    assert.deepEqual(changesOf(template({ env: [{ name: 'B' }, { name: 'A', value: '1' }] })), [`${LLM} env`]);
  });

  it('is a container that is added', () => {
    const both = { spec: { ...(template() as { spec: object }).spec, containers: [container(), { name: 'x' }] } };
    assert.deepEqual(changesOf(both), ['spec containers x']);
  });

  it('leaves alone what others have added', () => {
    const value = live({ env: [{ name: 'A', value: '1' }, { name: 'INJECTED' }, { name: 'B' }] });
    assert.deepEqual(changesOf(template(), value), []);
  });
});
