/*
 * What a preview does for one upgrade, as a process of its own, so that its time and its memory can be measured. Prints both as JSON.
 */
import { readFile } from 'node:fs/promises';
import { describeImpact } from '../../../../components/impact/upgrade/describe-impact.ts';
import { readLiveObjects } from '../../../../components/impact/upgrade/live-objects.ts';
import { readCapabilities } from '../../../../components/impact/upgrade/question.ts';
import { upgradeImpact } from '../../../../components/impact/upgrade/upgrade-impact.ts';
import { Client } from '../../../../packages/kube/client/client.ts';
import { loadConnection } from '../../../../packages/kube/connect/kubeconfig.ts';

const [kubeconfig = '', file = ''] = process.argv.slice(2);
const started = performance.now();
const client = new Client(await loadConnection({ kubeconfig }));
const cluster = { client, objects: await readLiveObjects(client), capabilities: await readCapabilities(client) };
const readSeconds = (performance.now() - started) / 1000;
const version = { name: 'operator 1.1.0', version: '1.1.0', source: await readFile(file, 'utf8') };
const impact = await upgradeImpact(cluster, { major: 1, from: '1.0.0', version });
client.close();
const seconds = (performance.now() - started) / 1000;
const said = describeImpact(impact);
console.log(JSON.stringify({ seconds, readSeconds, said }));
