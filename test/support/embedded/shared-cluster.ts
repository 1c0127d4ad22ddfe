import { TestCluster } from './test-cluster.ts';

/** Nothing runs on it; a taint keeps away pods that do not request its GPUs. */
const H100 = { name: 'h100-a', gpus: { product: 'NVIDIA-H100-80GB-HBM3', memory: 81_559, count: 8 } };

/** The cluster that all end-to-end tests share, unless they are about the cluster's own life. */
export const cluster = new TestCluster('e2e', 1, { simulatedNodes: [H100] });

/** Mocha calls these once, before the first test and after the last. */
export async function mochaGlobalSetup(): Promise<void> {
  try {
    await cluster.command('up');
  } catch (error) {
    // Mocha ends without the teardown when the setup fails, and half a cluster would go on running.
    await cluster.remove();
    throw error;
  }
}

export async function mochaGlobalTeardown(): Promise<void> {
  await cluster.remove();
}
