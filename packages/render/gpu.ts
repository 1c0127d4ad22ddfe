import { definedOnly } from '../lib/values.ts';
import { GPU_DEFAULTS } from '../api/defaults.ts';
import type { Application, Gpu } from '../api/types.ts';
import type { GpuRequest } from './model.ts';
import { objectAt, isObject, type OpenObject } from '../lib/json.ts';
import { REQUIRED } from '../kube/placement/placement.ts';
import { parseQuantity } from '../kube/quantity.ts';

type GpuFields = Pick<Application, 'resources' | 'affinity' | 'tolerations'>;

/** Writes what `gpu` asks for into resources, node affinity and tolerations, beside what the user wrote there. */
export function withGpu(gpu: Gpu | undefined, { resources, affinity, tolerations }: GpuFields): GpuFields {
  if (gpu === undefined) return definedOnly({ resources, affinity, tolerations });
  const { count, resourceName } = { ...GPU_DEFAULTS, ...gpu };
  return definedOnly({
    resources: {
      ...resources,
      limits: { ...objectAt(resources, 'limits'), [resourceName]: count },
      requests: { ...objectAt(resources, 'requests'), [resourceName]: count },
    },
    affinity: withNodeRequirements(affinity, nodeRequirements(gpu)),
    tolerations: withToleration(tolerations, taintKey(resourceName)),
  });
}

/** GPUs of one pod: what `gpu` asks for, else those of its resources that a device plugin calls `<vendor>/gpu`, or a slice. */
export function gpuRequest(gpu: Gpu | undefined, resources: OpenObject | undefined): GpuRequest | undefined {
  if (gpu !== undefined) {
    const { resourceName, count } = { ...GPU_DEFAULTS, ...gpu };
    return { resourceName, count };
  }
  const amounts = { ...objectAt(resources, 'requests'), ...objectAt(resources, 'limits') };
  for (const resourceName of Object.keys(amounts).sort()) {
    const count = parseQuantity(amounts[resourceName]) ?? 0;
    if (isGpuResource(resourceName) && count > 0) return { resourceName, count };
  }
  return undefined;
}

/** Whether a resource is a whole GPU, or a slice of one. */
export function isGpuResource(name: string): boolean {
  return /\/(?:gpu|mig-)/.test(name);
}

/** On nodes: which GPU they have, as NVIDIA's feature discovery writes it. */
export const PRODUCT_LABEL = 'nvidia.com/gpu.product';
const MEMORY_LABEL = 'nvidia.com/gpu.memory';

function nodeRequirements({ product, minMemory }: Gpu): OpenObject[] {
  const requirements: OpenObject[] = [];
  if (product !== undefined) requirements.push({ key: PRODUCT_LABEL, operator: 'In', values: [product] });
  if (minMemory !== undefined) {
    // The label counts MiB, and Kubernetes knows "greater than" but not "at least".
    requirements.push({ key: MEMORY_LABEL, operator: 'Gt', values: [String(mebibytes(minMemory) - 1)] });
  }
  return requirements;
}

function mebibytes(quantity: string): number {
  return Number.parseInt(quantity, 10) * (quantity.endsWith('Gi') ? 1024 : 1);
}

/** Terms are alternatives, so every one of them gets the requirements. What is not an affinity is passed on. */
function withNodeRequirements(affinity: OpenObject | undefined, requirements: OpenObject[]): OpenObject | undefined {
  const node = affinity?.['nodeAffinity'] ?? {};
  if (requirements.length === 0 || !isObject(node)) return affinity;
  const required = node[REQUIRED] ?? {};
  if (!isObject(required)) return affinity;
  const terms = required['nodeSelectorTerms'] ?? [];
  if (!Array.isArray(terms)) return affinity;
  const alternatives: unknown[] = terms.length === 0 ? [{}] : terms;
  const nodeSelectorTerms = alternatives.map((term) => withExpressions(term, requirements));
  return { ...affinity, nodeAffinity: { ...node, [REQUIRED]: { ...required, nodeSelectorTerms } } };
}

function withExpressions(term: unknown, requirements: OpenObject[]): unknown {
  if (!isObject(term)) return term;
  const given: unknown = term['matchExpressions'] ?? [];
  return Array.isArray(given) ? { ...term, matchExpressions: [...(given as unknown[]), ...requirements] } : term;
}

/** GPU nodes are usually tainted with the name of the vendor's whole GPU, also for slices of it. */
function taintKey(resourceName: string): string {
  return resourceName.startsWith('nvidia.com/') ? GPU_DEFAULTS.resourceName : resourceName;
}

function withToleration(tolerations: OpenObject[] = [], key: string): OpenObject[] {
  const tolerated = tolerations.some((toleration) => isObject(toleration) && toleration['key'] === key);
  return tolerated ? tolerations : [...tolerations, { key, operator: 'Exists', effect: 'NoSchedule' }];
}
