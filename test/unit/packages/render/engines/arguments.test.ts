import assert from 'node:assert/strict';
import type { Application } from '../../../../../packages/api/types.ts';
import { said } from '../../../../../packages/render/engines/arguments.ts';
import { ENGINE_TABLES } from '../../../../../packages/render/engines/tables.ts';
import { at, podOf } from '../../../../support/people/stacks.ts';

const MODEL = { name: 'org/model' };

function argsOf(application: Application): string[] {
  return (at(podOf({ applications: { chat: application } }, 'chat'), 'containers.0.args') ?? []) as string[];
}

/** What follows a flag, and how often the flag is there. */
function valuesOf(args: readonly string[], flag: string): (string | undefined)[] {
  return args.flatMap((argument, index) => (argument === flag ? [args[index + 1]] : []));
}

describe('the arguments of an engine', () => {
  it('say which model is served, under which name, where, and on how many GPUs', () => {
    const args = argsOf({ engine: 'vllm', model: { ...MODEL, revision: 'v1' }, gpu: { count: 2 }, port: 9000 });
    assert.deepEqual(args.slice(0, 11), [
      ...['org/model', '--revision', 'v1', '--served-model-name', 'chat', '--host', '0.0.0.0'],
      ...['--port', '9000', '--tensor-parallel-size', '2'],
    ]);
  });

  it('say nothing of what is not set', () => {
    const args = argsOf({ engine: 'sglang', model: MODEL });
    for (const flag of ['--revision', '--tp-size']) assert.equal(args.includes(flag), false, flag);
    assert.deepEqual(argsOf({ engine: 'openai', image: { repository: 'own' }, model: MODEL, gpu: {} }), []);
  });

  it('count the GPUs of resources as those of gpu', () => {
    const resources = { limits: { 'nvidia.com/gpu': '4' } };
    assert.deepEqual(valuesOf(argsOf({ engine: 'sglang', model: MODEL, resources }), '--tp-size'), ['4']);
  });

  it('give llama.cpp as many threads as whole processors, and at least one', () => {
    const threads = (resources: object): unknown =>
      valuesOf(argsOf({ engine: 'llamacpp', model: MODEL, resources: { ...resources } }), '--threads');
    assert.deepEqual(threads({ limits: { cpu: '3500m' } }), ['3']);
    assert.deepEqual(threads({ limits: { cpu: '500m' } }), ['1']);
    assert.deepEqual(threads({ requests: { cpu: 6 } }), ['6']);
    assert.deepEqual(threads({ limits: { cpu: 'many' } }), ['1']);
  });

  it('come before those of the user, which take the place of equal ones', () => {
    const own = ['--tensor-parallel-size', '1', '--max-model-len', '4096'];
    const args = argsOf({ engine: 'vllm', model: MODEL, gpu: { count: 2 }, args: own });
    assert.deepEqual(args.slice(-4), own);
    assert.deepEqual(valuesOf(args, '--tensor-parallel-size'), ['1']);
    assert.equal(args[0], 'org/model');
  });

  it('leave the model of vLLM, which stands alone, to the user who names one by a flag', () => {
    const args = argsOf({ engine: 'vllm', model: MODEL, args: ['--model', 'other'] });
    assert.equal(args.includes('org/model'), false);
  });

  const spellings: Record<
    string,
    readonly [engine: 'vllm' | 'sglang' | 'llamacpp', given: string[], replaced: string]
  > = {
    'a short flag': ['vllm', ['-tp', '1'], '--tensor-parallel-size'],
    'a flag with its value in one': ['vllm', ['--tensor-parallel-size=1'], '--tensor-parallel-size'],
    'a flag with lines below': ['vllm', ['--tensor_parallel_size', '1'], '--tensor-parallel-size'],
    'another name of a flag': ['sglang', ['--tensor-parallel-size', '1'], '--tp-size'],
    'an abbreviation': ['sglang', ['--tp', '1'], '--tp-size'],
    'another way of using several GPUs': ['vllm', ['--pipeline-parallel-size', '2'], '--tensor-parallel-size'],
    'a short name of a model': ['llamacpp', ['-hf', 'other'], '--hf-repo'],
    'a switch': ['llamacpp', ['--no-webui'], '--no-ui'],
  };
  for (const [what, [engine, given, replaced]] of Object.entries(spellings)) {
    it(`recognise ${what}`, () => {
      const application = { engine, model: MODEL, gpu: { count: 2 } };
      assert.equal(argsOf(application).includes(replaced), true);
      const args = argsOf({ ...application, args: given });
      assert.equal(args.includes(replaced), false, args.join(' '));
      assert.deepEqual(args.slice(-given.length), given);
    });
  }

  it('take a flag that only begins alike for another one', () => {
    const args = argsOf({ engine: 'vllm', model: MODEL, args: ['--model-impl', 'auto', '--host-x=1'] });
    assert.equal(args[0], 'org/model');
    assert.deepEqual(valuesOf(args, '--host'), ['0.0.0.0']);
  });

  it('say a setting by the last of several flags', () => {
    const port = (...given: string[]): unknown => said(ENGINE_TABLES.vllm, 'port', given);
    assert.deepEqual(port('--port', '1', '--port=2'), { flag: '--port', value: '2' });
    assert.deepEqual(port('--port'), { flag: '--port', value: undefined });
    assert.deepEqual(said(ENGINE_TABLES.vllm, 'servedName', ['--served_model_name=a=b']), {
      flag: '--served_model_name',
      value: 'a=b',
    });
    assert.equal(port('--porter', '1'), undefined);
  });
});
