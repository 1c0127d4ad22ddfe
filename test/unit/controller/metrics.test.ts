import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describeMetrics } from '../../../controller/src/metrics.ts';

describe('the metrics of the operator, as it describes them', () => {
  const lines: string[] = [];
  describeMetrics({ write: (line: string) => lines.push(line) > 0 });
  const metrics = lines.map((line) => JSON.parse(line) as { name: string; type: string; labels: string[] });

  it('have names, types and labels', () => {
    const found = metrics.find(({ name }) => name === 'rest_client_requests_total');
    assert.deepEqual(found, { name: 'rest_client_requests_total', type: 'counter', labels: ['code', 'method'] });
  });

  it('are those of its page', () => {
    const page = readFileSync('docs/reference/controller.md', 'utf8');
    const rows = page.split('\n').flatMap((line) => {
      const [, names = '', labels = ''] = line.split('|');
      return [...names.matchAll(/`(\w+)`/g)].map(([, name]) => [name, labels.trim()] as const);
    });
    const listed = new Map(rows);
    for (const { name, labels } of metrics) assert.equal(listed.get(name), labels.join(', '), name);
  });
});
