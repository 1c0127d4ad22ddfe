/**
 * Records what the public chart renders for every case, as facts to compare with:
 *   node test/conformance/packages/render/record.ts <path of the chart inference-stack>
 * needs helm on the PATH. The reference is the chart at commit 0765d06 of titanml/helm-charts.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import yaml from 'js-yaml';
import { type ChartCase, fixtureOf, readCases } from './case.ts';

const chart = process.argv[2];
if (chart === undefined) throw new Error('give the path of the chart as the first argument');

for (const [name, chartCase] of readCases()) {
  const objects = template(chart, chartCase);
  writeFileSync(fixtureOf(name), objects.map((object) => `${JSON.stringify(object)}\n`).join(''));
}

function template(path: string, { release, namespace, values }: ChartCase): unknown[] {
  const args = ['template', release, path, '--namespace', namespace, '--values', '-'];
  const output = execFileSync('helm', args, { input: JSON.stringify(values), encoding: 'utf8' });
  return yaml.loadAll(output).filter((object) => object !== null && object !== undefined);
}
