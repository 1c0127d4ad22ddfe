import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { chooseDemo } from '../../../../cli/demo/demos.ts';

const RUNTIME = { repository: 'registry.example/demo-runtime', tag: 'checkout' };
const ONWARDS = { repository: 'registry.example/mirror/onwards', digest: 'sha256:1' };
const LLAMA = { repository: 'registry.example/mirror/llama-cpp', digest: 'sha256:2' };

describe('what make up shows', () => {
  it('is a real model where both images could be made', () => {
    const demo = chooseDemo({ demoRuntime: RUNTIME, serving: { onwards: ONWARDS, llamacpp: LLAMA } });
    assert.equal(demo.example, 'examples/llamacpp/stack.yaml');
    assert.deepEqual(demo.images, { gateway: ONWARDS, application: LLAMA });
    assert.equal(demo.remark, undefined);
    assert.equal(demo.question.temperature, 0);
  });

  it('is the stand-in everywhere else, and that is said with the command that says why', () => {
    const without = [
      {},
      { onwards: ONWARDS },
      { llamacpp: LLAMA },
      { onwards: ONWARDS, llamacpp: { ...LLAMA, digest: '' } },
    ];
    for (const serving of without) {
      const demo = chooseDemo({ demoRuntime: RUNTIME, serving });
      assert.equal(demo.example, 'examples/single-major/stack.yaml');
      assert.deepEqual(demo.images, { gateway: RUNTIME, application: RUNTIME });
      assert.match(demo.remark ?? '', /^No model will answer: .*`make tools PROGRAMS=serving` says what is missing\./);
    }
  });

  it('asks a model that the example serves', () => {
    for (const outputs of [
      { demoRuntime: RUNTIME },
      { demoRuntime: RUNTIME, serving: { onwards: ONWARDS, llamacpp: LLAMA } },
    ]) {
      const { example, question } = chooseDemo(outputs);
      assert.ok(existsSync(example), example);
      assert.match(readFileSync(example, 'utf8'), new RegExp(`(aliases: \\[|consumerGroup: )${question.model}\\b`));
    }
  });

  it('fails when the program has built no stand-in either', () => {
    assert.throws(() => chooseDemo({}), /demoRuntime: names no repository and tag/);
  });
});
