import assert from 'node:assert/strict';
import type { Application, ReaderConfig } from '../../../../packages/api/types.ts';
import { noticesOf } from '../../../support/people/notices.ts';

/** What is told of a reader, without the path of the application. */
function reader(readerConfig: ReaderConfig, more: Application = {}, template: Application = {}): string[] {
  const chat = { readerConfig: { modelName: 'org/model', ...readerConfig }, ...more };
  return shortened(noticesOf({ applicationTemplate: template, applications: { chat } }));
}

function engine(application: Application): string[] {
  const chat = { model: { name: 'org/model' }, ...application };
  return shortened(noticesOf({ applications: { chat } }));
}

function shortened(notices: readonly string[]): string[] {
  return notices.map((notice) => notice.replace('spec.applications.chat.', ''));
}

const GPUS = { resources: { limits: { 'nvidia.com/gpu': 2 } } };

describe('notices about the number of GPUs', () => {
  it('tell of one in resources, which gpu replaces', () => {
    const notice = (where: string, count: number): string =>
      `resources.${where}.nvidia.com/gpu: has no effect: gpu.count asks for ${String(count)} (got 2). Set gpu.count alone.`;
    const vllm = { engine: 'vllm' } as const;
    assert.deepEqual(engine({ ...vllm, gpu: { count: 4 }, ...GPUS }), [notice('limits', 4)]);
    assert.deepEqual(reader({}, { gpu: {}, resources: { requests: { 'nvidia.com/gpu': 2 } } }), [
      notice('requests', 1),
    ]);
    assert.deepEqual(engine({ ...vllm, gpu: { count: 2 }, ...GPUS }), []);
    assert.deepEqual(engine({ ...vllm, ...GPUS }), []);
    assert.deepEqual(engine({ ...vllm, gpu: { resourceName: 'nvidia.com/mig-1g.10gb' } }), []);
  });
});

describe('notices about the GPUs of a reader', () => {
  it('tell of GPUs that a model on the CPU leaves idle', () => {
    const notice = 'readerConfig.device: leaves the 2 GPUs of each pod idle (got "cpu"). Use cuda, or ask for no GPU.';
    assert.deepEqual(reader({ device: 'cpu' }, { gpu: { count: 2 } }), [notice]);
    // By resources alone, the device stays what it is without a GPU.
    assert.deepEqual(reader({}, GPUS), [notice]);
    assert.deepEqual(reader({ device: 'cpu' }, { gpu: {} }), [notice.replace('2 GPUs', 'GPU')]);
    assert.deepEqual(reader({}, { gpu: { count: 2 } }), []);
    assert.deepEqual(reader({ device: 'cuda' }, GPUS), []);
  });

  it('tell of a model on a GPU that the pods do not ask for, as in the first examples of the chart', () => {
    const notice = 'readerConfig.device: needs a GPU, and the pods ask for none (got "cuda"). Set gpu, or use cpu.';
    assert.deepEqual(reader({ device: 'cuda' }), [notice]);
    assert.deepEqual(reader({}, {}, { readerConfig: { device: 'cuda' } }), [notice]);
    assert.deepEqual(reader({ device: 'cuda:1' }), [notice.replace('"cuda"', '"cuda:1"')]);
    assert.deepEqual(reader({ device: 'cuda' }, { resources: { limits: { 'nvidia.com/gpu': 0 } } }), [notice]);
  });

  it('say nothing about devices that are not called GPUs', () => {
    assert.deepEqual(
      reader({ device: 'cuda', tensorParallel: 2 }, { resources: { limits: { 'habana.ai/gaudi': 2 } } }),
      [],
    );
  });

  it('tell of a device that is not known, once where it is written', () => {
    const notice = 'is not a device that readers are known to run on (got "gpu"). Use cpu or cuda.';
    assert.deepEqual(reader({ device: 'gpu' }), [`readerConfig.device: ${notice}`]);
    const applicationTemplate = { readerConfig: { device: 'gpu', modelName: 'org/model' } };
    assert.deepEqual(noticesOf({ applicationTemplate, applications: { a: {}, b: {} } }), [
      `spec.applicationTemplate.readerConfig.device: ${notice}`,
    ]);
  });

  it('tell of a model that is spread over more or fewer GPUs than a pod has', () => {
    const uneven =
      'readerConfig.tensorParallel: does not match the 2 GPUs of each pod (got 4). Give both the same number.';
    assert.deepEqual(reader({ tensorParallel: 4 }, { gpu: { count: 2 } }), [uneven]);
    assert.deepEqual(reader({ tensorParallel: 2 }, { gpu: { count: 2 } }), []);
    assert.deepEqual(reader({ tensorParallel: 4, device: 'cuda' }, GPUS), [uneven]);
    assert.deepEqual(reader({ tensorParallel: 4, device: 'cuda' }), [
      'readerConfig.tensorParallel: spreads the model over GPUs, and the pods ask for none (got 4). ' +
        'Set gpu.count to the same number.',
    ]);
    assert.deepEqual(reader({ tensorParallel: 1 }), []);
  });

  it('leave to an external engine how it uses its GPUs', () => {
    const external = { engine: 'external', ...GPUS } as const;
    assert.deepEqual(reader({ device: 'cpu', tensorParallel: 4 }, external), []);
    assert.deepEqual(reader({ device: 'tpu' }, { engine: 'external' }), []);
  });
});

describe('notices about the GPUs of an open engine', () => {
  it('tell of arguments that spread the model over more or fewer GPUs than a pod has', () => {
    const uneven = (flag: string): string =>
      `args: does not match the 2 GPUs of each pod (got "${flag}"). Give both the same number.`;
    const gpu = { count: 2 };
    assert.deepEqual(engine({ engine: 'vllm', gpu, args: ['--tensor-parallel-size', '4'] }), [
      uneven('--tensor-parallel-size 4'),
    ]);
    assert.deepEqual(engine({ engine: 'vllm', gpu, args: ['-tp=1'] }), [uneven('-tp 1')]);
    assert.deepEqual(engine({ engine: 'sglang', gpu, args: ['--tp', '4'] }), [uneven('--tp 4')]);
    assert.deepEqual(engine({ engine: 'vllm', gpu, command: ['vllm', 'serve', '-tp', '4'] }), [uneven('-tp 4')]);
    assert.deepEqual(engine({ engine: 'vllm', gpu, args: ['--tensor-parallel-size', '2'] }), []);
    assert.deepEqual(engine({ engine: 'vllm', gpu, args: ['--tensor-parallel-size', 'auto'] }), []);
  });

  it('tell of arguments that spread the model over GPUs that nobody asks for', () => {
    const image = { repository: 'registry.example/vllm-cpu', tag: '1' };
    assert.deepEqual(engine({ engine: 'vllm', image, args: ['-tp', '2'] }), [
      'args: spreads the model over GPUs, and the pods ask for none (got "-tp 2"). Set gpu.count to the same number.',
    ]);
    assert.deepEqual(engine({ engine: 'vllm', image, args: ['-tp', '1'] }), []);
  });

  it('do not judge what spreads a model in more than one way', () => {
    const args = ['--tensor-parallel-size', '2', '--pipeline-parallel-size', '2'];
    assert.deepEqual(engine({ engine: 'vllm', gpu: { count: 4 }, args }), []);
  });

  it('do not take the layers on a GPU for a number of GPUs', () => {
    assert.deepEqual(engine({ engine: 'llamacpp', gpu: { count: 2 }, args: ['-ngl', '20'] }), []);
  });

  it('tell of an image that does nothing without a GPU', () => {
    const notice = (title: string): string =>
      `gpu: is not set, and the image of ${title} needs a GPU. Set gpu, or an image for the CPU.`;
    assert.deepEqual(engine({ engine: 'vllm' }), [notice('vLLM')]);
    assert.deepEqual(engine({ engine: 'sglang', image: { tag: 'v1' } }), [notice('SGLang')]);
    assert.deepEqual(engine({ engine: 'llamacpp' }), []);
    for (const more of [
      GPUS,
      { gpu: {} },
      { command: ['serve-on-the-cpu'] },
      { image: { repository: 'registry.example/vllm-cpu' } },
    ]) {
      assert.deepEqual(engine({ engine: 'vllm', ...more }), [], JSON.stringify(more));
    }
  });

  it('tell of an image for GPUs of another vendor', () => {
    const gpu = { resourceName: 'amd.com/gpu' };
    const notice =
      'image.repository: is not set, and that of llama.cpp is for GPUs of nvidia.com. Set an image for these GPUs.';
    assert.deepEqual(engine({ engine: 'llamacpp', gpu }), [notice]);
    assert.deepEqual(engine({ engine: 'llamacpp', gpu, image: { repository: 'registry.example/rocm' } }), []);
    const slice = { resourceName: 'nvidia.com/mig-3g.20gb' };
    assert.deepEqual(engine({ engine: 'llamacpp', gpu: slice }), []);
  });
});
