import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { RuntimeMetrics, type ReconcileOutcome } from '../../../packages/kube/process/metrics.ts';

const SOURCES = fileURLToPath(new URL('../../../controller/src', import.meta.url));
const PAGE = readFileSync(new URL('../../../docs/reference/controller.md', import.meta.url), 'utf8');

/** What the kubelet sets, and nobody else. */
const OF_PODS = ['KUBERNETES_SERVICE_HOST', 'KUBERNETES_SERVICE_PORT'];

describe('the reference page of the controller', () => {
  it('has every variable that is read from the environment', () => {
    const text = globSync('**/*.ts', { cwd: SOURCES }).map((file) => readFileSync(`${SOURCES}/${file}`, 'utf8'));
    const read = text.join().matchAll(/\benv\['(\w+)'\]|\bnumber\('(\w+)'/g);
    const names = new Set([...read].map(([, text = '', number = text]) => number));
    assert.ok(names.has('OPERATOR_VERSION') && names.has('WORKERS'));
    const missing = [...names].filter((name) => !OF_PODS.includes(name) && !PAGE.includes(`\`${name}\``));
    assert.deepEqual(missing, []);
  });

  it('has every metric, and every outcome of a reconciliation', async () => {
    const metrics = await new RuntimeMetrics().registry.getMetricsAsJSON();
    for (const { name } of metrics) assert.ok(PAGE.includes(`\`${name}\``), name);
    const outcomes: Record<ReconcileOutcome, true> = { success: true, error: true, requeue: true, requeue_after: true };
    for (const outcome of Object.keys(outcomes)) assert.ok(PAGE.includes(`\`${outcome}\``), outcome);
  });
});
