import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildFleet } from '../../../../cli/pack/build.ts';

const STACK = `apiVersion: models.titanml.co/v1beta1
kind: InferenceStack
metadata: { name: chat, labels: { operatorVersion: v3 } }
spec: { applications: { qwen: { engine: vllm, model: { name: Qwen/Qwen2.5-0.5B-Instruct }, gpu: { count: 1 } } } }
`;

interface Told {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

describe('the packed fleet', function () {
  this.timeout(120_000);
  let folder: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'packed-fleet-'));
    await buildFleet(join(folder, 'built'));
    const options = { cwd: folder, encoding: 'utf8', stdio: 'pipe' } as const;
    const packed = execFileSync('npm', ['pack', '--silent', './built'], options).trim();
    const home = join(folder, 'home');
    mkdirSync(home);
    // A folder of somebody who has Node alone: no checkout above it, no registry, nothing in the cache.
    const args = [
      'install',
      '--offline',
      '--no-audit',
      '--no-fund',
      '--prefix',
      home,
      '--cache',
      join(folder, 'cache'),
    ];
    execFileSync('npm', [...args, join(folder, packed)], options);
    writeFileSync(join(home, 'stack.yaml'), STACK);
  });
  after(() => rmSync(folder, { recursive: true }));

  function fleet(...args: readonly string[]): Told {
    const home = join(folder, 'home');
    const env = { PATH: process.env['PATH'] ?? '', HOME: home };
    const program = join(home, 'node_modules/.bin/fleet');
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
      cwd: home,
      env,
      encoding: 'utf8',
    });
    return { code: status, out: stdout, err: stderr };
  }

  it('is one package, with nothing to install beside it', () => {
    assert.deepEqual(readdirSync(join(folder, 'home/node_modules')).sort(), [
      '.bin',
      '.package-lock.json',
      '@inference-stack-fleet',
    ]);
  });

  it('explains and renders a stack', () => {
    const explained = fleet('explain', '-f', 'stack.yaml');
    assert.deepEqual([explained.code, explained.err], [0, '']);
    assert.match(explained.out, /^InferenceStack default\/chat, served by operator v3\n/);
    assert.match(fleet('render', '-f', '.', '-o', 'json').err, /package\.json:1: kind: is missing/);
    assert.match(fleet('render', '-f', 'stack.yaml').out, /^---\napiVersion: v1\n/);
  });

  it('says its version, helps, and completes', () => {
    assert.match(fleet('version').out, /^fleet \d+\.\d+\.\d+\n$/);
    assert.match(fleet('help', 'explain').out, /^Usage: fleet explain -f FILE\.\.\. \[options\]\n/);
    assert.match(fleet('completion', 'bash').out, /complete -o default -F _fleet fleet/);
  });

  it('asks a cluster, where there is one', () => {
    const { code, err } = fleet('status');
    assert.equal(code, 1);
    assert.match(err, /^cluster: none is named, and the embedded one was never started\. /);
  });

  it('says of the commands that work on a checkout that they do', () => {
    for (const args of [['up'], ['env'], ['bundle', 'push', '--version', 'v3.0.0'], ['catalog', 'check']]) {
      const { code, out, err } = fleet(...args);
      assert.deepEqual([code, out], [1, '']);
      assert.match(err, /^this command: needs a checkout of the project, .*\. Clone the project, .*\.\n$/);
    }
  });
});
