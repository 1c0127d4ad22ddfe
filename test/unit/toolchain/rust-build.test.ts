import assert from 'node:assert/strict';
import { CommandError } from '../../../packages/lib/command.ts';
import { binDirectory, programsFile } from '../../../toolchain/places.ts';
import { readProgramsFile } from '../../../toolchain/programs-file.ts';
import { crateAddress, explainRustFailure, rustEnvironment, rustRecipe } from '../../../toolchain/rust-build.ts';

const CRATE = { crate: 'onwards', version: '1.2.0', sha256: 'a', seconds: 300 };

describe('a program of a crate', () => {
  it('comes from where crates.io keeps releases', () => {
    assert.equal(crateAddress(CRATE), 'https://static.crates.io/crates/onwards/onwards-1.2.0.crate');
  });

  it('is another product when its version or its content changes, and only then', () => {
    const recipes = [{}, { version: '1.2.1' }, { sha256: 'b' }, { seconds: 1 }].map((change) =>
      rustRecipe({ ...CRATE, ...change }),
    );
    assert.equal(new Set(recipes.slice(0, 3)).size, 3);
    assert.equal(recipes[3], recipes[0]);
  });

  it('is built by the Rust of the checkout, without paths of this machine, whatever the shell asks of cargo', () => {
    const shell = { PATH: '/bin', CARGO_HOME: '/my cargo', CARGO_BUILD_TARGET: 'wasm32-wasip1', OPENSSL_DIR: '/ssl' };
    const env = rustEnvironment('/cache/my work', shell);
    assert.equal(env['PATH'], `${binDirectory}:/bin`);
    assert.equal(env['CARGO_TARGET_DIR'], '/cache/my work/target');
    assert.equal(env['CARGO_BUILD_TARGET'], undefined);
    assert.equal(env['OPENSSL_DIR'], '/ssl');
    assert.deepEqual(env['CARGO_ENCODED_RUSTFLAGS']?.split('\x1f'), [
      '--remap-path-prefix=/cache/my work=/build',
      '--remap-path-prefix=/my cargo=/cargo',
    ]);
  });

  it('needs the Rust that programs.yaml provides, and no older one', () => {
    const { programs, groups, system } = readProgramsFile(programsFile);
    assert.deepEqual(groups['rust'], ['rustc', 'cargo']);
    assert.equal(programs['rustc']?.accept, '>=1.88');
    assert.ok(Object.keys(system['rust'] ?? {}).includes('cc'));
  });

  it('fails for reasons that a person can do something about', () => {
    const told = (error: unknown): string => String(explainRustFailure('onwards', error));
    const failed = (output: string): CommandError => new CommandError('cargo build', 101, output);
    assert.match(told(failed('error: No space left on device (os error 28)')), /the disk is full/);
    assert.match(told(failed('error: failed to verify the checksum of `a v1.0.0`')), /do not use it/);
    assert.match(told(failed('[6] Could not resolve host: index.crates.io')), /crates\.io cannot be reached/);
    assert.match(told(failed('error[E0308]: mismatched types')), /onwards: cargo build: does not build.*E0308/s);
    assert.match(told(Object.assign(new Error('spawn cargo ENOENT'), { code: 'ENOENT' })), /cargo: is no longer there/);
    const other = new Error('something else');
    assert.equal(explainRustFailure('onwards', other), other);
  });
});
