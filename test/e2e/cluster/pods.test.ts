import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mirroredImages, updateMirror } from '../../../cluster/mirror/mirror.ts';
import { buildImage } from '../../../components/images/build-image.ts';
import { eventually } from '../../support/machine/eventually.ts';
import { cluster } from '../../support/embedded/shared-cluster.ts';

const SERVER = `
import { createServer } from 'node:http';
console.log('listening');
createServer((request, response) => response.end('hello from ' + process.env.HOSTNAME)).listen(8080);
`;

interface PodStatus {
  readonly phase: string;
  readonly conditions?: readonly { type: string; status: string; message?: string }[];
}

function pod(name: string, image: string, extra: object, spec: object = {}): string {
  const container = { name: 'main', image, ...extra };
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { app: name } },
    spec: { containers: [container], terminationGracePeriodSeconds: 0, ...spec },
  });
}

async function status(name: string): Promise<PodStatus> {
  const object = JSON.parse(await cluster.kubectl(['get', 'pod', name, '-o', 'json'])) as { status: PodStatus };
  return object.status;
}

describe('the embedded cluster', function () {
  this.timeout(180_000);
  let image: string;

  before(async () => {
    await updateMirror(cluster.layout);
    const base = mirroredImages(cluster.layout).node ?? '';
    const context = mkdtempSync(join(tmpdir(), 'fleet-hello-'));
    writeFileSync(join(context, 'server.mjs'), SERVER);
    writeFileSync(join(context, 'Dockerfile'), `FROM ${base}\nCOPY server.mjs /server.mjs\nCMD ["/server.mjs"]\n`);
    const { buildkit, registry, dockerConfig } = cluster.environment;
    const access = { address: buildkit, dockerConfig };
    const build = { context, reference: `${registry}/test/hello:1`, sourceDateEpoch: 0 };
    image = await buildImage(build, access);
    const copy = mkdtempSync(join(tmpdir(), 'fleet-hello-'));
    cpSync(context, copy, { recursive: true });
    assert.equal(await buildImage({ ...build, context: copy }, access), image, 'the same input gave another digest');
    for (const directory of [context, copy]) rmSync(directory, { recursive: true });
  });

  it('runs an image that BuildKit pushed, reached from this machine by the address of its Service', async () => {
    const probe = { httpGet: { path: '/', port: 8080 }, periodSeconds: 1 };
    await cluster.kubectl(['apply', '-f', '-'], pod('hello', image, { readinessProbe: probe }));
    await cluster.kubectl(['expose', 'pod', 'hello', '--port=80', '--target-port=8080']);
    await cluster.kubectl(['wait', 'pod/hello', '--for=condition=Ready', '--timeout=90s']);
    const address = await cluster.kubectl(['get', 'service', 'hello', '-o', 'jsonpath={.spec.clusterIP}']);
    // kube-proxy learns of the ready pod a moment later than whoever waits for the pod.
    const answer = await eventually(async () => (await fetch(`http://${address}/`)).text());
    assert.equal(answer, 'hello from hello');
  });

  it('lets a pod reach another by the name of its Service, and shows the logs of both', async () => {
    const ask = "fetch('http://hello.default.svc.cluster.local').then((r) => r.text()).then(console.log)";
    await cluster.kubectl(
      ['apply', '-f', '-'],
      pod('caller', image, { args: ['-e', ask] }, { restartPolicy: 'Never' }),
    );
    await cluster.kubectl(['wait', 'pod/caller', '--for=jsonpath={.status.phase}=Succeeded', '--timeout=60s']);
    assert.equal(await cluster.kubectl(['logs', 'caller']), 'hello from hello\n');
    assert.equal(await cluster.kubectl(['logs', 'hello']), 'listening\n');
  });

  it('schedules a pod that asks for a GPU, and keeps one waiting that asks for more than any node has', async () => {
    const gpus = (count: number): object => ({ resources: { limits: { 'nvidia.com/gpu': count } } });
    const selector = { nodeSelector: { 'nvidia.com/gpu.product': cluster.settings.gpus.product } };
    await cluster.kubectl(['apply', '-f', '-'], pod('one-gpu', image, gpus(1), selector));
    await cluster.kubectl(
      ['apply', '-f', '-'],
      pod('many-gpus', image, gpus(cluster.settings.gpus.count + 1), selector),
    );
    await cluster.kubectl(['wait', 'pod/one-gpu', '--for=condition=Ready', '--timeout=60s']);
    const scheduled = await eventually(async () => {
      const condition = (await status('many-gpus')).conditions?.find(({ type }) => type === 'PodScheduled');
      assert.ok(condition);
      return condition;
    });
    assert.equal(scheduled.status, 'False');
    assert.match(scheduled.message ?? '', /Insufficient nvidia\.com\/gpu/);
    assert.equal((await status('many-gpus')).phase, 'Pending');
  });

  it('schedules on a simulated node what only that node could run', async () => {
    const [node] = cluster.settings.simulatedNodes;
    assert.ok(node);
    const gpus = { resources: { limits: { 'nvidia.com/gpu': node.gpus.count } } };
    const placement = {
      nodeSelector: { 'nvidia.com/gpu.product': node.gpus.product },
      tolerations: [{ key: 'nvidia.com/gpu', operator: 'Exists' }],
    };
    await cluster.kubectl(['apply', '-f', '-'], pod('simulated', image, gpus, placement));
    await cluster.kubectl(['wait', 'pod/simulated', '--for=condition=Ready', '--timeout=60s']);
    const host = await cluster.kubectl(['get', 'pod', 'simulated', '-o', 'jsonpath={.spec.nodeName}']);
    assert.equal(host, node.name);
  });
});
