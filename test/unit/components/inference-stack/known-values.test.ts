import assert from 'node:assert/strict';
import * as pulumi from '@pulumi/pulumi';
import { knownValues } from '../../../../components/inference-stack/known-values.ts';
import { masked, withoutSecrets } from '../../../../components/inference-stack/secrets.ts';

const LATER = pulumi.output(pulumi.unknown);

describe('what is known of an input', () => {
  it('is without outputs and promises, and without what is undefined', async () => {
    const input = { a: pulumi.output([Promise.resolve(1), pulumi.output('two')]), b: undefined, c: null };
    assert.deepEqual((await knownValues(input)).value, { a: [1, 'two'], c: null });
  });

  it('names each value that only a run can know, and keeps those beside it', async () => {
    const whole = pulumi.output({ known: 1, later: LATER });
    const { value, unknown } = await knownValues({ list: [LATER, 'x'], whole });
    assert.deepEqual(unknown, ['list[0]', 'whole.later']);
    assert.deepEqual(value, { list: [pulumi.unknown, 'x'], whole: { known: 1, later: pulumi.unknown } });
  });

  it('names secrets once, by the outermost one, and knows their texts', async () => {
    const { secret, secretTexts } = await knownValues({
      env: [{ value: pulumi.secret('hunter2') }],
      all: pulumi.secret({ a: { b: 'word' } }),
    });
    assert.deepEqual(secret, ['env[0].value', 'all']);
    assert.deepEqual(secretTexts, ['hunter2', 'word']);
  });
});

describe('a message without secrets', () => {
  const secrets = { secret: ['spec.env[0].value'], secretTexts: ['hunter2', 'hunter2-long', '{"a":1}'] };

  it('has none in its sentences', () => {
    assert.equal(masked('is hunter2-long, not hunter2', secrets), 'is [secret], not [secret]');
  });

  it('has none in its value, be it the value itself, around it, or the same elsewhere', () => {
    const shown = (path: string, value: unknown): unknown =>
      withoutSecrets({ path, value, message: '' }, secrets).value;
    assert.equal(shown('spec.env[0].value', 'abc'), '[secret]');
    assert.equal(shown('spec.env[0]', { value: 'hunter2' }), '[secret]');
    assert.equal(shown('spec.other', '{"a":1}'), '[secret]');
    assert.equal(shown('spec.other', 'plain'), 'plain');
  });
});
