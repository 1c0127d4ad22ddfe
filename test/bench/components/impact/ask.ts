/*
 * What a preview does for one upgrade, as a process of its own, so that its time and its memory can be measured. Prints both as JSON.
 */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { describeImpact } from '../../../../components/impact/upgrade/describe-impact.ts';
import { readLiveObjects } from '../../../../components/impact/upgrade/live-objects.ts';
import { readCapabilities } from '../../../../components/impact/upgrade/question.ts';
import { upgradeImpact } from '../../../../components/impact/upgrade/upgrade-impact.ts';
import { Client } from '../../../../packages/kube/client/client.ts';

const [url = '', file = ''] = process.argv.slice(2);
const started = performance.now();
const client = new Client({ server: new URL(url) });
const cluster = { client, objects: await readLiveObjects(client), capabilities: await readCapabilities(client) };
const version = { name: 'operator 1.1.0', version: '1.1.0', source: await readFile(file, 'utf8') };
const impact = await upgradeImpact(cluster, { major: 1, from: '1.0.0', version });
client.close();
const seconds = (performance.now() - started) / 1000;
const said = describeImpact(impact);
console.log(JSON.stringify({ seconds, cpuSeconds: cpuSeconds(), said }));

/** CPU seconds of this process and of those that it has started and that have ended. */
function cpuSeconds(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  // The second field is a name in parentheses that may contain spaces. Linux counts in hundredths of a second.
  const ticks = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 15);
  return ticks.reduce((sum, each) => sum + Number(each), 0) / 100;
}
