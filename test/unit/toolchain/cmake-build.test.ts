import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandError } from '../../../packages/lib/command.ts';
import { cmakeBuild, cmakeRecipe, explainCmakeFailure } from '../../../toolchain/cmake-build.ts';
import type { Program } from '../../../toolchain/programs-file.ts';
import { StandIns } from '../../support/machine/stand-ins.ts';
import { PackageIndex, sumOf } from '../../support/registry/package-index.ts';

/** Notes its arguments, and makes the program when it is asked to build. */
const CMAKE = `echo "$@" >> "$CMAKE_LOG"
[ "$1" != --build ] || { mkdir -p "$2/bin" && echo product > "$2/bin/$4"; }`;

describe('a program that cmake builds', () => {
  let directory: string;
  let target: string;
  let program: Program;
  let index: PackageIndex;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'cmake-'));
    target = join(directory, 'product');
    mkdirSync(target);
    const source = join(directory, 'bindings-1.0');
    mkdirSync(join(source, 'vendor/server/part'), { recursive: true });
    writeFileSync(join(source, 'LICENSE.md'), 'of the bindings');
    writeFileSync(join(source, 'vendor/server/LICENSE'), 'of the server');
    writeFileSync(join(source, 'vendor/server/part/LICENSE-part'), 'of a part');
    const archive = execFileSync('tar', ['-czf', '-', '-C', directory, 'bindings-1.0']);
    rmSync(source, { recursive: true });
    index = await PackageIndex.start({ bindings: archive });
    const defines = ['NATIVE=OFF'];
    program = {
      sdist: 'bindings',
      version: '1.0',
      sha256: sumOf(archive),
      cmake: 'vendor/server',
      defines,
      seconds: 1,
    };
    process.env['CMAKE_LOG'] = join(directory, 'log');
  });
  afterEach(() => {
    index.stop();
    delete process.env['CMAKE_LOG'];
    rmSync(directory, { recursive: true });
  });

  const build = async (script: string): Promise<void> => {
    const standIns = new StandIns({ cmake: script });
    await cmakeBuild('server', program, target).finally(() => standIns.remove());
  };

  it('is beside the licences of its source afterwards, and the source is gone', async () => {
    await build(CMAKE);
    assert.equal(readFileSync(join(target, 'server'), 'utf8'), 'product\n');
    assert.equal(readFileSync(join(target, 'licences/LICENSE'), 'utf8'), 'of the server');
    assert.equal(readFileSync(join(target, 'licences/part/LICENSE-part'), 'utf8'), 'of a part');
    assert.deepEqual(readdirSync(directory).sort(), ['log', 'product']);
  });

  it('is built with the settings that are pinned, from the folder that is named', async () => {
    await build(CMAKE);
    const [configure = '', compile = ''] = readFileSync(join(directory, 'log'), 'utf8').split('\n');
    assert.match(configure, /^-S \S+\/vendor\/server -B \S+ .*-DCMAKE_BUILD_TYPE=Release .*-DNATIVE=OFF$/);
    assert.match(compile, /^--build \S+ --target server --parallel \d+$/);
  });

  it('says what the compiler said when it fails, and leaves nothing half done', async () => {
    await assert.rejects(
      build('echo "error: no such header"; exit 2'),
      /program server: cmake: does not build.*no such header/s,
    );
    assert.equal(existsSync(join(target, 'server')), false);
    assert.deepEqual(readdirSync(directory), ['product']);
  });

  it('is another product when anything that is pinned changes', () => {
    const recipes = [{}, { version: '1.1' }, { sha256: '0' }, { cmake: '.' }, { defines: [] }, { seconds: 9 }].map(
      (change) => cmakeRecipe({ ...program, ...change }),
    );
    assert.equal(new Set(recipes.slice(0, -1)).size, 5);
    assert.equal(recipes.at(-1), recipes[0]);
  });

  it('fails for reasons that a person can do something about', () => {
    const told = (error: unknown): string => String(explainCmakeFailure('server', error));
    const failed = (output: string): CommandError => new CommandError('cmake', 1, output);
    assert.match(told(failed('cc1plus: No space left on device')), /the disk is full/);
    assert.match(told(failed('g++: fatal error: Killed signal terminated program cc1plus')), /ran out of memory/);
    assert.match(told(Object.assign(new Error('spawn cmake ENOENT'), { code: 'ENOENT' })), /cmake: is not on PATH/);
    const other = new Error('something else');
    assert.equal(explainCmakeFailure('server', other), other);
  });
});
