import { GROUP, STACK_KINDS } from '../../../packages/api/constants.ts';
import { GPU_DEFAULTS } from '../../../packages/api/defaults.ts';
import { isGpuResource } from '../../../packages/render/gpu.ts';
import { parseQuantity } from '../../../packages/kube/quantity.ts';
import type { ObjectReader } from '../objects/object-reader.ts';

/** Whether the object is an InferenceStack, under its present or its earlier name. */
export function isStack(object: ObjectReader): boolean {
  return object.group === GROUP && STACK_KINDS.includes(object.kind);
}

/** What is wrong with the GPUs of an application, whose settings are merged over the template's. */
export function gpuProblems(application: ObjectReader, template: ObjectReader): string[] {
  const parallel = application.number(...PARALLEL) ?? template.number(...PARALLEL);
  const device = application.text('readerConfig', 'device') ?? template.text('readerConfig', 'device');
  const gpus = gpuCount([application, template]);
  if (device === 'cpu' && gpus !== undefined) return [`asks for ${gpus} GPUs, but its readerConfig.device is cpu`];
  if (parallel === undefined) return [];
  if (gpus === undefined) {
    return parallel > 1
      ? [`spreads its model over ${parallel} GPUs (readerConfig.tensorParallel), but asks for none`]
      : [];
  }
  if (gpus === parallel) return [];
  return [`asks for ${gpus} GPUs, but spreads its model over ${parallel} (readerConfig.tensorParallel)`];
}

const PARALLEL = ['readerConfig', 'tensorParallel'] as const;

/** The GPUs of each pod as the operator reads them: from `gpu`, or from extended resources. The first layer wins. */
function gpuCount(layers: readonly ObjectReader[]): number | undefined {
  if (layers.some((layer) => layer.has('gpu'))) {
    const [count = GPU_DEFAULTS.count] = layers.flatMap((layer) => layer.number('gpu', 'count') ?? []);
    return count;
  }
  return layers
    .flatMap((layer) => [...layer.entries('resources', 'limits'), ...layer.entries('resources', 'requests')])
    .filter(([name]) => isGpuResource(name))
    .map(([, amount]) => parseQuantity(amount.value()) ?? 0)
    .find((amount) => amount > 0);
}
