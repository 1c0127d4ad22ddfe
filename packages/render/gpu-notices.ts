import { GPU_DEFAULTS } from '../api/defaults.ts';
import type { InferenceStackSpec } from '../api/types.ts';
import { objectAt } from '../lib/json.ts';
import type { Problem } from '../lib/problem.ts';
import { parseQuantity } from '../kube/quantity.ts';
import type { EffectiveApplication, EffectiveOpen, EffectiveReader } from './effective.ts';
import type { KnownEngine } from './engines/facts.ts';
import { gpuRequest } from './gpu.ts';
import { gpuContradiction, isKnownDevice, spreadOf } from './gpu-contradictions.ts';

/** Devices, GPUs and parallelism of a reader that do not agree. The engine beside an external one's reader has its own ways. */
export function readerGpuNotices(path: string, application: EffectiveReader): Problem[] {
  const { engine, readerConfig, gpu, resources } = application;
  if (engine !== 'takeoff') return [];
  const { device, tensorParallel } = readerConfig;
  const gpus = gpuRequest(gpu, resources)?.count;
  const isGiven = gpus === undefined && hasOtherDevice(resources);
  switch (gpuContradiction({ device, parallel: tensorParallel, gpus })) {
    case 'idle':
      return [
        {
          path: `${path}.readerConfig.device`,
          value: device,
          message: `leaves the ${gpusOfEach(gpus)} idle`,
          remedy: 'Use cuda, or ask for no GPU.',
        },
      ];
    case 'uneven':
      return [uneven(`${path}.readerConfig.tensorParallel`, tensorParallel, gpus)];
    case 'unasked':
      return isGiven ? [] : [unasked(`${path}.readerConfig.tensorParallel`, tensorParallel)];
    case 'missing':
      return isGiven
        ? []
        : [
            {
              path: `${path}.readerConfig.device`,
              value: device,
              message: 'needs a GPU, and the pods ask for none',
              remedy: 'Set gpu, or use cpu.',
            },
          ];
    case undefined:
      return [];
  }
}

/** A number of GPUs in resources that is not the one of `gpu`, which takes its place. */
export function gpuAmountNotices(path: string, { gpu, resources }: EffectiveApplication): Problem[] {
  if (gpu === undefined) return [];
  const { resourceName, count } = { ...GPU_DEFAULTS, ...gpu };
  const list = (['limits', 'requests'] as const).find((name) => {
    const amount = parseQuantity(objectAt(resources, name)[resourceName]);
    return amount !== undefined && amount !== count;
  });
  if (list === undefined) return [];
  const value = objectAt(resources, list)[resourceName];
  const message = `has no effect: gpu.count asks for ${String(count)}`;
  return [{ path: `${path}.resources.${list}.${resourceName}`, value, message, remedy: 'Set gpu.count alone.' }];
}

/** Devices that readers are not known to run on, where they are written: in the template once for all applications. */
export function deviceNotices(
  { applicationTemplate, applications }: InferenceStackSpec,
  effective: Readonly<Record<string, EffectiveApplication>>,
): Problem[] {
  const layers = [
    ['spec.applicationTemplate', applicationTemplate] as const,
    ...Object.entries(effective)
      .filter(([, { engine }]) => engine === 'takeoff')
      .map(([name]) => [`spec.applications.${name}`, applications?.[name]] as const),
  ];
  return layers.flatMap(([path, layer]) => {
    const value = layer?.readerConfig?.device;
    if (typeof value !== 'string' || isKnownDevice(value)) return [];
    const message = 'is not a device that readers are known to run on';
    return [{ path: `${path}.readerConfig.device`, value, message, remedy: 'Use cpu or cuda.' }];
  });
}

/** GPUs and parallelism of an open engine that do not agree, and images that need other GPUs than the pods have. */
export function engineGpuNotices(path: string, application: EffectiveOpen, { table, facts }: KnownEngine): Problem[] {
  const { gpu, resources, image, command = [] } = application;
  const request = gpuRequest(gpu, resources);
  const spread = spreadOf(application.engine, application);
  const contradiction = gpuContradiction({ parallel: spread?.parallel, gpus: request?.count });
  const where = `${path}.args`;
  const said = `${spread?.flag ?? ''} ${String(spread?.parallel)}`;
  const parallel =
    contradiction === 'uneven'
      ? [uneven(where, said, request?.count)]
      : contradiction === 'unasked'
        ? [unasked(where, said)]
        : [];
  const isOwnImage = image?.repository === undefined;
  if (request === undefined) {
    if (facts.needsGpu !== true || !isOwnImage || command.length > 0 || hasOtherDevice(resources)) return parallel;
    const message = `is not set, and the image of ${table.title} needs a GPU`;
    return [...parallel, { path: `${path}.gpu`, message, remedy: 'Set gpu, or an image for the CPU.' }];
  }
  const { gpuVendor: vendor } = facts;
  if (!isOwnImage || vendor === undefined || request.resourceName.startsWith(`${vendor}/`)) return parallel;
  const message = `is not set, and that of ${table.title} is for GPUs of ${vendor}`;
  return [...parallel, { path: `${path}.image.repository`, message, remedy: 'Set an image for these GPUs.' }];
}

/** Whether the pods ask for a device that is not called a GPU, as those of some vendors are not. */
function hasOtherDevice(resources: EffectiveApplication['resources']): boolean {
  const amounts = { ...objectAt(resources, 'requests'), ...objectAt(resources, 'limits') };
  return Object.keys(amounts).some((name) => name.includes('/') && (parseQuantity(amounts[name]) ?? 0) > 0);
}

function uneven(path: string, value: unknown, gpus: number | undefined): Problem {
  const message = `does not match the ${gpusOfEach(gpus)}`;
  return { path, value, message, remedy: 'Give both the same number.' };
}

function unasked(path: string, value: unknown): Problem {
  const message = 'spreads the model over GPUs, and the pods ask for none';
  return { path, value, message, remedy: 'Set gpu.count to the same number.' };
}

function gpusOfEach(count = 0): string {
  return count === 1 ? 'GPU of each pod' : `${String(count)} GPUs of each pod`;
}
