import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { CommandError, isMissingCommand, run } from '../packages/lib/command.ts';
import { ProblemsError } from '../packages/lib/problem.ts';
import { fetchPinned } from './pinned-file.ts';
import { binDirectory } from './places.ts';
import type { Program } from './programs-file.ts';
import { collectLicences } from './rust-licences.ts';

/** Raised when the way in which crates are built changes, so that products of the old way are not used. */
const RECIPE = 1;

/** Identifies what a build would produce. */
export function rustRecipe({ crate, version, sha256 }: Program): string {
  const key = JSON.stringify([RECIPE, process.platform, process.arch, crate, version, sha256]);
  return createHash('sha256').update(key).digest('hex').slice(0, 12);
}

/** Where crates.io keeps a released crate. */
export function crateAddress({ crate = '', version = '' }: Program): string {
  return `https://static.crates.io/crates/${crate}/${crate}-${version}.crate`;
}

/**
 * Builds the program of a crate into a folder, and puts the licences of what was compiled beside it. The crate carries its
 * Cargo.lock, by which cargo verifies every dependency.
 */
export async function rustBuild(name: string, program: Program, target: string): Promise<void> {
  const { crate = '', version = '', sha256 = '' } = program;
  const workspace = `${target}.src`;
  const env = rustEnvironment(workspace);
  try {
    mkdirSync(workspace, { recursive: true });
    const archive = join(workspace, 'crate.tar.gz');
    await fetchPinned({ object: `crate ${crate} ${version}`, url: crateAddress(program), sha256 }, archive);
    await run('tar', ['-xzf', archive, '--no-same-owner', '-C', workspace]);
    const cwd = join(workspace, `${crate}-${version}`);
    await run('cargo', ['build', '--release', '--locked', '--bin', name], { cwd, env });
    copyFileSync(join(workspace, 'target', 'release', name), join(target, name));
    await collectLicences(cwd, env, join(target, 'licences'));
  } catch (error) {
    throw explainRustFailure(name, error);
  } finally {
    rmSync(workspace, { recursive: true, force: true });
  }
}

/** The variables of every cargo command: the chosen Rust, and a product without symbols and without paths of this machine. */
export function rustEnvironment(workspace: string, env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const cargoHome = env['CARGO_HOME'] ?? join(homedir(), '.cargo');
  const remapped = [`${workspace}=/build`, `${cargoHome}=/cargo`];
  return {
    ...env,
    PATH: [binDirectory, env['PATH'] ?? ''].join(delimiter),
    CARGO_TARGET_DIR: join(workspace, 'target'),
    // The product would be in a folder of the target's name.
    CARGO_BUILD_TARGET: undefined,
    CARGO_PROFILE_RELEASE_STRIP: 'symbols',
    // It goes before RUSTFLAGS, and paths in it may have spaces.
    CARGO_ENCODED_RUSTFLAGS: remapped.map((pair) => `--remap-path-prefix=${pair}`).join('\x1f'),
  };
}

/** What a failure means for a person; an error that no command gave is returned as it is. */
export function explainRustFailure(name: string, error: unknown): unknown {
  const object = `program ${name}`;
  if (isMissingCommand(error)) {
    const remedy = 'Run the same command again: a suitable Rust is looked for, or fetched.';
    return new ProblemsError([{ object, path: 'cargo', message: 'is no longer there', remedy }]);
  }
  if (!(error instanceof CommandError)) return error;
  const causes: [RegExp, string][] = [
    [/No space left on device/i, 'the disk is full: free about 3 GB and run the same command again'],
    [
      /checksum for .* changed|failed to verify the checksum/i,
      'a crate differs from what Cargo.lock pins: do not use it',
    ],
    [/Could not resolve host|failed to download|spurious network error/i, 'crates.io cannot be reached'],
  ];
  const message = causes.find(([pattern]) => pattern.test(error.output))?.[1] ?? 'does not build';
  const remedy = `The end of what cargo said:\n${error.message}`;
  return new ProblemsError([{ object, path: 'cargo build', message, remedy }]);
}
