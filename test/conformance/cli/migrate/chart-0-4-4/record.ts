/**
 * Records what chart 0.4.4 renders for every case, as facts to compare with:
 *   node test/conformance/cli/migrate/chart-0-4-4/record.ts <path of the chart inference-stack>
 * needs helm on the PATH. The reference is doublewordai/inference-stack at version 0.4.4.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import yaml from 'js-yaml';
import { fixtureOf, readCases, type ValuesCase } from './case.ts';

const chart = process.argv[2];
if (chart === undefined) throw new Error('give the path of the chart as the first argument');

for (const [name, valuesCase] of readCases()) {
  const objects = template(chart, valuesCase);
  writeFileSync(fixtureOf(name), objects.map((object) => `${JSON.stringify(object)}\n`).join(''));
}

function template(path: string, { release, namespace, values }: ValuesCase): unknown[] {
  const args = ['template', release, path, '--namespace', namespace, '--values', '-'];
  const output = execFileSync('helm', args, { input: JSON.stringify(values), encoding: 'utf8' });
  return yaml.loadAll(output).filter((object) => object !== null && object !== undefined);
}
