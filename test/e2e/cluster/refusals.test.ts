import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Machine } from '../../../cluster/embedded/machine.ts';
import { CommandError, run } from '../../../packages/lib/command.ts';
import { checkout } from '../../../packages/lib/checkout.ts';
import { eventually } from '../../support/machine/eventually.ts';
import { cluster } from '../../support/embedded/shared-cluster.ts';

const UP = [join(checkout, 'cluster', 'embedded', 'main.ts'), 'up'];

function saying(expected: RegExp): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof CommandError);
    assert.equal(error.exitCode, 1);
    assert.match(error.output, expected);
    assert.doesNotMatch(error.output, /\n\s+at /, 'a stack trace helps nobody');
    return true;
  };
}

describe('what the embedded cluster refuses', function () {
  this.timeout(60_000);

  it('somebody who is not root', async () => {
    const asNobody = ['--reuid=65534', '--regid=65534', '--clear-groups', 'node', ...UP];
    await assert.rejects(run('setpriv', asNobody, { env: cluster.env }), saying(/root is needed.*with sudo/));
  });

  it('a container that is not privileged', async () => {
    const state = mkdtempSync(join(tmpdir(), 'unprivileged-'));
    const unprivileged = ['--bounding-set=-sys_admin', '--inh-caps=-sys_admin', 'node', ...UP];
    try {
      await assert.rejects(
        run('setpriv', unprivileged, { env: { ...cluster.env, CLUSTER_STATE: join(state, 'state') } }),
        saying(/namespaces: cannot be made: unshare: .*Operation not permitted.*must be privileged/),
      );
    } finally {
      rmSync(state, { recursive: true });
    }
  });

  it('a disk that is too small, before anything is written to it', async () => {
    const disk = mkdtempSync(join(tmpdir(), 'small-disk-'));
    await run('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk]);
    try {
      const env = { ...cluster.env, CLUSTER_STATE: join(disk, 'state') };
      await assert.rejects(
        run('node', UP, { env }),
        saying(/GB free.*has too little room: 3 GB are needed|has too little room: 3 GB are needed.*Free some/),
      );
      assert.deepEqual(readdirSync(join(disk, 'state')), []);
    } finally {
      await run('umount', [disk]);
      rmSync(disk, { recursive: true });
    }
  });

  it('a port that a stranger has taken', async () => {
    const machine = new Machine(cluster.layout);
    const holder = machine.holder();
    const coredns = machine.processes().find(({ name }) => name === 'coredns');
    assert.ok(holder !== undefined && coredns !== undefined);
    process.kill(coredns.pid, 'SIGKILL');
    await eventually(() => assert.ok(!existsSync(`/proc/${coredns.pid}`)));
    const listen = `require('node:net').createServer().listen(53, '${cluster.layout.nodeAddress}')`;
    const stranger = spawn('nsenter', ['--target', String(holder), '--net', 'node', '-e', listen], { stdio: 'ignore' });
    try {
      await eventually(() => assert.ok(machine.listeningPorts().has(53)));
      await assert.rejects(
        run('node', UP, { env: cluster.env }),
        saying(/coredns: port: is taken by another process.*53/),
      );
    } finally {
      stranger.kill('SIGKILL');
      await eventually(() => assert.ok(!machine.listeningPorts().has(53)));
      await cluster.command('up');
    }
  });
});
