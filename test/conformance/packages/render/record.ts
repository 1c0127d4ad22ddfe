/**
 * Records what a version of the public chart renders for every case, as facts to compare with:
 *   node test/conformance/packages/render/record.ts <0765d06 or 1.8.2> <path of the chart inference-stack>
 * needs helm on the PATH. The charts are those of titanml/helm-charts, at commit 0765d06 and in version 1.8.2.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import yaml from 'js-yaml';
import { type ChartCase, fixtureOf, JUDGES } from './case.ts';

const [, , version, chart] = process.argv;
const judge = JUDGES.find((each) => each.version === version);
if (judge === undefined || chart === undefined) {
  throw new Error(`give ${JUDGES.map((each) => each.version).join(' or ')}, and the path of that chart`);
}

mkdirSync(judge.fixtures, { recursive: true });
for (const [name, chartCase] of judge.cases()) {
  const objects = template(chart, chartCase);
  writeFileSync(fixtureOf(judge, name), objects.map((object) => `${JSON.stringify(object)}\n`).join(''));
}

function template(path: string, { release, namespace, values }: ChartCase<unknown>): unknown[] {
  const args = ['template', release, path, '--namespace', namespace, '--values', '-'];
  const output = execFileSync('helm', args, { input: JSON.stringify(values), encoding: 'utf8' });
  return yaml.loadAll(output).filter((object) => object !== null && object !== undefined);
}
