import assert from 'node:assert/strict';
import { existsSync, readdirSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { cgroupExists } from '../../../cluster/embedded/cgroups.ts';
import { Machine, type MachineProcess } from '../../../cluster/embedded/machine.ts';
import { run } from '../../../packages/lib/command.ts';
import { isAlive } from '../../../toolchain/exclusive.ts';
import { eventually } from '../../support/machine/eventually.ts';
import { TestCluster } from '../../support/embedded/test-cluster.ts';

const cluster = new TestCluster('life', 3);
const machine = new Machine(cluster.layout);

async function kill(processes: readonly MachineProcess[]): Promise<void> {
  // The first of them takes all others with it.
  for (const { pid } of processes) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
  await eventually(() => assert.ok(processes.every(({ pid }) => !isAlive(pid))));
}

async function assertDataIsThere(): Promise<void> {
  assert.equal(await cluster.kubectl(['get', 'configmap', 'kept', '-o', 'jsonpath={.data.a}']), 'b');
}

function files(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Everything on this machine that could be the cluster's, as text to compare. */
async function traces(): Promise<string> {
  const links = await run('ip', ['-o', 'link']);
  const routes = await run('ip', ['route', 'show', 'table', 'all']);
  const rules = await run('iptables-save', []);
  const mounts = await run('findmnt', ['--noheadings', '--raw', '--output', 'TARGET']);
  const namespaces = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return [readlinkSync(`/proc/${pid}/ns/net`)];
      } catch {
        return [];
      }
    });
  const withoutCounters = rules.replace(/^[#:].*\n/gm, '');
  return [
    links.replace(/^\d+: /gm, ''),
    routes,
    withoutCounters,
    mounts,
    [...new Set(namespaces)].sort().join('\n'),
  ].join('\n--\n');
}

describe("an embedded cluster's life", function () {
  this.timeout(240_000);
  let before_: string;

  before(async () => {
    before_ = await traces();
    assert.match(await cluster.command('up'), /Ready in/);
    await cluster.kubectl(['create', 'configmap', 'kept', '--from-literal=a=b']);
  });

  after(async () => cluster.remove());

  it('does nothing when it is up already, and says so', async () => {
    // The status names each component with its process; helpers that kube-proxy starts come and go.
    const before = await cluster.command('status');
    assert.match(await cluster.command('up'), /Nothing to do: it runs already/);
    assert.equal(await cluster.command('status'), before);
  });

  it('has begun a program when it says so', async () => {
    const env = { PATH: process.env['PATH'] };
    for (let count = 0; count < 20; count += 1) {
      await machine.launch(['sleep', '600'], join(cluster.layout.logs, 'sleep.log'), env);
      const sleepers = machine.processes().filter(({ name }) => name === 'sleep');
      assert.equal(sleepers.length, 1);
      await kill(sleepers);
    }
  });

  it('keeps its credentials to its owner', () => {
    const open = files(cluster.layout.pki)
      .concat(cluster.layout.kubeconfig)
      .filter((path) => (statSync(path).mode & 0o077) !== 0);
    assert.deepEqual(open, []);
  });

  it('listens on its own addresses only', async () => {
    const sockets = await run('nsenter', ['--target', String(machine.holder()), '--net', 'ss', '-Hltn']);
    const addresses = sockets
      .trim()
      .split('\n')
      .map((line) => (line.split(/\s+/)[3] ?? '').replace(/:\d+$/, ''));
    const allowed = ['127.0.0.1', '[::1]', cluster.layout.nodeAddress];
    assert.deepEqual(
      [...new Set(addresses)].filter((address) => !allowed.includes(address)),
      [],
    );
  });

  for (const name of [
    'etcd',
    'kube-apiserver',
    'containerd',
    'kubelet',
    'kube-proxy',
    'coredns',
    'docker-registry',
    'buildkitd',
    'kube-scheduler',
    'kube-controller-manager',
  ]) {
    it(`is repaired after its ${name} was killed`, async () => {
      const victims = machine.processes().filter((process) => process.name === name);
      assert.equal(victims.length, 1);
      await kill(victims);
      assert.match(await cluster.command('up'), /Ready in/);
      await assertDataIsThere();
    });
  }

  it('is repaired after all of its processes were killed', async () => {
    await kill(machine.processes());
    await assert.rejects(cluster.command('status'), /not running/);
    assert.match(await cluster.command('up'), /Ready in/);
    await assertDataIsThere();
  });

  it('keeps its data while it is down', async () => {
    assert.match(await cluster.command('down'), /Its data stays/);
    assert.match(await cluster.command('down'), /was not running/);
    assert.match(await cluster.command('up'), /Ready in/);
    await assertDataIsThere();
  });

  it('leaves no process, mount, namespace, device, packet filter rule, cgroup or file behind when it is deleted', async () => {
    assert.match(await cluster.command('delete'), /Deleted/);
    assert.equal(await traces(), before_);
    assert.equal(existsSync(cluster.layout.root), false);
    assert.equal(cgroupExists(cluster.layout.cgroup), false);
  });
});
