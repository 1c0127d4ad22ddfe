import { LINE_LIMIT, names, shortened } from '../../../../packages/lib/message.ts';
import { PRODUCT_LABEL } from '../../../../packages/render/gpu.ts';
import type { BitSet } from '../../../../packages/kube/placement/bit-set.ts';
import { describeObstacles, lacking, obstacles } from '../../../../packages/kube/placement/obstacles.ts';
import type { Capacity } from './capacity.ts';
import type { GpuDemand } from './plan.ts';

type Demand = Pick<GpuDemand, 'gpu' | 'placement'>;

/** Room for the devices' name in a sentence that has more to say. */
const DEVICE_LIMIT = 70;

/** The requested product, if there is one: it says more than the resource's name. */
export function deviceName(demand: Demand): string {
  const products = wantedProducts(demand);
  return shortened(products.length === 0 ? demand.gpu.resourceName : products.join(' or '), DEVICE_LIMIT);
}

/**
 * Why no node has the requested devices: how many the matching nodes have, or what keeps the pods from the others. `freed` is what nodes
 * would have in addition, by position.
 */
export function whyNone(
  demand: Demand,
  capacity: Capacity,
  nodes: BitSet,
  used: number,
  freed: ReadonlyMap<number, number> = new Map(),
): string {
  const { index } = capacity;
  const { resourceName } = demand.gpu;
  if (index.items.length === 0) return 'the cluster has no nodes';
  if (!nodes.isEmpty) {
    const { size } = nodes;
    let most = 0;
    for (const position of nodes.positions()) {
      most = Math.max(most, capacity.free(resourceName, position) + (freed.get(position) ?? 0));
    }
    return `${size === 1 ? '1 node matches' : `${size} nodes match`}, at most ${most} free`;
  }
  const equipped = index.withDevice(resourceName);
  const other = otherProducts(demand, capacity, equipped);
  if (other.length > 0) return `the cluster has ${names(other)}`;
  const lack = lacking(index, demand.placement, equipped);
  if (lack !== undefined) return `none ${lack}`;
  const others = index.items.length - equipped.size;
  const found = new Map(obstacles(index, demand.placement, equipped));
  if (others > 0) found.set(`has no ${resourceName}`, others);
  return describeObstacles(found, LINE_LIMIT - used - 1);
}

function wantedProducts({ placement: { nodeSelector, terms = [] } }: Demand): readonly string[] {
  const selected = nodeSelector?.[PRODUCT_LABEL];
  if (selected !== undefined) return [selected];
  for (const { matchExpressions = [] } of terms) {
    const product = matchExpressions.find(({ key, operator }) => key === PRODUCT_LABEL && operator === 'In');
    if (product?.values !== undefined) return product.values;
  }
  return [];
}

/** The products that the nodes have, if the requested one is not among them: it may be misspelt. */
function otherProducts(demand: Demand, { index }: Capacity, equipped: BitSet): readonly string[] {
  const wanted = wantedProducts(demand);
  if (wanted.length === 0) return [];
  const present = new Set<string>();
  for (const position of equipped.positions()) {
    const product = index.items[position]?.labels[PRODUCT_LABEL];
    if (product !== undefined) present.add(product);
  }
  return wanted.some((product) => present.has(product)) ? [] : [...present].sort();
}
