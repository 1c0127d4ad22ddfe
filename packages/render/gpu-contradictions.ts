import type { Application, OpenEngine } from '../api/types.ts';
import { isSaid, said } from './engines/arguments.ts';
import { ENGINE_TABLES } from './engines/tables.ts';

/** What is said about the GPUs of an application's pods, wherever it is said. */
export interface GpuStatement {
  /** The device of a reader. */
  readonly device?: string | undefined;
  /** How many GPUs the model is spread over. */
  readonly parallel?: number | undefined;
  /** How many GPUs each pod asks for. */
  readonly gpus?: number | undefined;
}

/**
 * - `idle`: the model is on the CPU, and the pods ask for GPUs.
 * - `unasked`: the model is spread over GPUs that the pods do not ask for.
 * - `uneven`: the model is spread over more GPUs than a pod has, so it does not start, or over fewer, so some idle.
 * - `missing`: the model is on a GPU that the pods do not ask for. Nodes without a device plugin have such pods.
 */
export type GpuContradiction = 'idle' | 'unasked' | 'uneven' | 'missing';

/** The first thing in which what is said about GPUs does not agree. */
export function gpuContradiction({ device, parallel, gpus }: GpuStatement): GpuContradiction | undefined {
  if (device === 'cpu' && gpus !== undefined) return 'idle';
  if (gpus === undefined) {
    if (parallel !== undefined && parallel > 1) return 'unasked';
    return device !== undefined && isCuda(device) ? 'missing' : undefined;
  }
  return parallel === undefined || parallel === gpus ? undefined : 'uneven';
}

/** Whether readers are known to run on it. */
export function isKnownDevice(device: string): boolean {
  return device === 'cpu' || isCuda(device);
}

function isCuda(device: string): boolean {
  return /^cuda(?::\d+)?$/.test(device);
}

/** How many GPUs the arguments of an open engine spread its model over, and by which flag. */
export interface Spread {
  readonly flag: string;
  readonly parallel: number;
}

/** Nothing where they say nothing, or spread it in more than one way: the numbers multiply, and each engine knows how. */
export function spreadOf(
  engine: OpenEngine,
  { command = [], args = [] }: Pick<Application, 'command' | 'args'>,
): Spread | undefined {
  const given = [...command, ...args];
  const table = ENGINE_TABLES[engine];
  const facts = table.revisions.flatMap((revision) => revision.arguments).filter(({ setting }) => setting === 'gpus');
  // Where the flag has a value of its own, it does not take the number of GPUs.
  if (facts.some(({ value, unless = [] }) => value !== undefined || isSaid(unless, given))) return undefined;
  const { flag = '', value } = said(table, 'gpus', given) ?? {};
  const parallel = Number(value);
  return Number.isSafeInteger(parallel) && parallel > 0 ? { flag, parallel } : undefined;
}
