import { GROUP, STACK_KINDS } from '../../../packages/api/constants.ts';
import { GPU_DEFAULTS } from '../../../packages/api/defaults.ts';
import { OPEN_ENGINES, type OpenEngine } from '../../../packages/api/engine.ts';
import { gpuContradiction, spreadOf, type GpuStatement } from '../../../packages/render/gpu-contradictions.ts';
import { isGpuResource } from '../../../packages/render/gpu.ts';
import { parseQuantity } from '../../../packages/kube/quantity.ts';
import type { ObjectReader } from '../objects/object-reader.ts';

/** Whether the object is an InferenceStack, under its present or its earlier name. */
export function isStack(object: ObjectReader): boolean {
  return object.group === GROUP && STACK_KINDS.includes(object.kind);
}

/**
 * What is wrong with the GPUs of an application, whose settings are merged over the template's. A model that needs a GPU and asks for none
 * may run all the same, on a node whose GPUs nobody shares out: that is for the operator's notices.
 */
export function gpuProblems(application: ObjectReader, template: ObjectReader): string[] {
  const engine = application.text('engine') ?? template.text('engine') ?? 'takeoff';
  // The container beside an external engine's reader has its own ways.
  if (engine === 'external') return [];
  const gpus = gpuCount([application, template]);
  const { said, ...statement } = isOpen(engine)
    ? spread(engine, [application, template])
    : reader(application, template);
  const { parallel = 1 } = statement;
  switch (gpuContradiction({ ...statement, gpus })) {
    case 'idle':
      return [`asks for ${gpus ?? 0} GPUs, but its readerConfig.device is cpu`];
    case 'unasked':
      return [`spreads its model over ${parallel} GPUs (${said}), but asks for none`];
    case 'uneven':
      return [`asks for ${gpus ?? 0} GPUs, but spreads its model over ${parallel} (${said})`];
    case 'missing':
    case undefined:
      return [];
  }
}

interface Statement extends Omit<GpuStatement, 'gpus'> {
  /** Where the number of GPUs is said that the model is spread over. */
  readonly said: string;
}

function reader(application: ObjectReader, template: ObjectReader): Statement {
  const parallel = application.number(...PARALLEL) ?? template.number(...PARALLEL);
  const device = application.text('readerConfig', 'device') ?? template.text('readerConfig', 'device');
  return { device, parallel, said: PARALLEL.join('.') };
}

const PARALLEL = ['readerConfig', 'tensorParallel'] as const;

function spread(engine: OpenEngine, layers: readonly ObjectReader[]): Statement {
  const words = (field: string): string[] => layers.find((layer) => layer.has(field))?.strings(field) ?? [];
  const { flag = '', parallel } = spreadOf(engine, { command: words('command'), args: words('args') }) ?? {};
  return { parallel, said: flag };
}

function isOpen(engine: string): engine is OpenEngine {
  return OPEN_ENGINES.some((open) => open === engine);
}

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
