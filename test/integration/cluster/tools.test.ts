import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { CommandError, run } from '../../../components/process/command.ts';
import { checkout, modulesDirectory } from '../../../cluster/tools/places.ts';

/** A copy of the checkout's links is enough: programs are provided into the links' folder of the checkout that runs. */
describe('providing programs', function () {
  this.timeout(300_000);
  let directory: string;
  let copy: string;

  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'tools-'));
    copy = join(directory, 'checkout');
    mkdirSync(copy);
    const entries = ['cluster', 'components', 'controller', 'package.json'];
    await run('cp', ['-r', ...entries.map((entry) => join(checkout, entry)), copy]);
    symlinkSync(join(checkout, 'node_modules'), join(copy, 'node_modules'));
  });

  after(() => rmSync(directory, { recursive: true }));

  async function ensure(names: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
    const command = 'node "$0" ensure "$@" 2>&1';
    return run('sh', ['-c', command, join(copy, 'cluster/tools/main.ts'), ...names], {
      env: { ...process.env, ...env },
    });
  }

  it('builds the same program once when two ask for it at once, and finds it in the cache from then on', async () => {
    const env = { XDG_CACHE_HOME: join(directory, 'cache'), PATH: withoutFolderOf('actionlint') };
    const outputs = await Promise.all([ensure(['actionlint'], env), ensure(['actionlint'], env)]);
    const programs = readdirSync(join(directory, 'cache/inference-stack-fleet/programs'));
    assert.equal(programs.length, 1, programs.join(', '));
    assert.match(await run(join(copy, '.tools/bin/actionlint'), ['-version']), /^1\.7\.8|v1\.7\.8/);
    assert.equal(
      outputs.filter((output) => output.includes('which is making it already')).length,
      1,
      outputs.join('\n'),
    );
    assert.equal(await ensure(['actionlint'], env), '');
  });

  it('says what to install when there is no Go, and leaves nothing half done', async () => {
    const cache = join(directory, 'cache-without-go');
    const env = { XDG_CACHE_HOME: cache, PATH: `${dirname(process.execPath)}:/usr/bin:/bin` };
    await assert.rejects(ensure(['etcd'], env), (error: unknown) => {
      assert.ok(error instanceof CommandError);
      assert.equal(error.exitCode, 1);
      assert.match(error.output, /program etcd: go: is not on PATH.*Install Go 1\.25 or newer .* or put etcd on PATH/);
      return true;
    });
    assert.deepEqual(readdirSync(join(cache, 'inference-stack-fleet/programs')), []);
    assert.equal(existsSync(join(copy, '.tools/bin/etcd')), false);
  });
});

describe('Go files of our own', () => {
  it('are formatted', async () => {
    assert.equal(await run('gofmt', ['-l', modulesDirectory]), '');
  });
});

/** PATH without any folder that has the program: it would be taken from there. */
function withoutFolderOf(program: string): string {
  const folders = (process.env['PATH'] ?? '').split(':');
  const others = folders.filter((folder) => !existsSync(join(folder, program)));
  return [dirname(process.execPath), ...others].join(':');
}
