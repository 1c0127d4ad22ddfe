import { GROUP, STACK_KINDS } from '../../controller/src/api/constants.ts';
import type { ObjectReader } from './object-reader.ts';

/** Whether the object is an InferenceStack, under its present or its earlier name. */
export function isStack(object: ObjectReader): boolean {
  return object.group === GROUP && STACK_KINDS.includes(object.kind);
}

/** What is wrong with the GPUs of an application, whose settings are merged over the template's. */
export function gpuProblems(application: ObjectReader, template: ObjectReader): string[] {
  const parallel = application.number(...PARALLEL) ?? template.number(...PARALLEL);
  const device = application.text('readerConfig', 'device') ?? template.text('readerConfig', 'device');
  const gpus = gpuCount(application) ?? gpuCount(template);
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

/** GPUs of each pod, by the short way of `gpu` or by extended resources. */
function gpuCount(application: ObjectReader): number | undefined {
  if (application.has('gpu')) return application.number('gpu', 'count') ?? 1;
  const limits = application.entries('resources', 'limits').filter(([name]) => name.endsWith('/gpu'));
  const [limit] = limits.map(([, value]) => Number(value.value()));
  return limit === undefined || Number.isNaN(limit) ? undefined : limit;
}
