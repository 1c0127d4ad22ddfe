import assert from 'node:assert/strict';
import { describeAnswer, readAnswer } from '../../../../cli/demo/answer.ts';

const completion = (content: string, more: object = {}): object => ({
  choices: [{ message: { role: 'assistant', content } }],
  ...more,
});

describe('the answer of a model', () => {
  it('is said with the speed that llama.cpp measured', () => {
    const measured = { usage: { completion_tokens: 8 }, timings: { predicted_per_second: 42.42 } };
    const answer = readAnswer(completion(' Paris.\n', measured), 100);
    assert.equal(describeAnswer('smollm2', answer), 'smollm2 answers: Paris.\n  (8 tokens, 42.4 tokens a second)');
  });

  it('is said with the time of the whole request where nobody measured', () => {
    const answer = readAnswer(completion('Paris.', { usage: { completion_tokens: 8 } }), 2);
    assert.deepEqual(answer, { words: 'Paris.', tokens: 8, tokensPerSecond: 4 });
    const sooner = readAnswer(completion('Paris.', { usage: { completion_tokens: 8 } }), 0);
    assert.ok(Number.isFinite(sooner.tokensPerSecond));
  });

  it('is said without a speed where nobody counts tokens, or there are none', () => {
    for (const usage of [{}, { completion_tokens: 0 }, { completion_tokens: 'many' }]) {
      assert.equal(describeAnswer('primary', readAnswer(completion('Hello', { usage }), 1)), 'primary answers: Hello');
    }
  });

  it('is empty when it is not a chat completion', () => {
    for (const other of [null, 'text', [], {}, { choices: [] }, { choices: [{ message: null }] }]) {
      assert.deepEqual(readAnswer(other, 1), { words: '' });
    }
  });
});
