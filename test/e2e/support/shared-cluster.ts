import { TestCluster } from './test-cluster.ts';

/** The cluster that all end-to-end tests share, unless they are about the cluster's own life. */
export const cluster = new TestCluster('e2e', 1);

/** Mocha calls these once, before the first test and after the last. */
export async function mochaGlobalSetup(): Promise<void> {
  await cluster.command('up');
}

export async function mochaGlobalTeardown(): Promise<void> {
  await cluster.remove();
}
