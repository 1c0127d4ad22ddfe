import type { Execute } from './execute.ts';
import type { EnvironmentFile } from './environment-file.ts';
import type { Variables } from '../io.ts';

/** Provides what Pulumi needs: programs, the embedded cluster with its images, and the files that go into images. */
export async function prepare(
  execute: Execute,
  checkout: string,
  env: Variables,
  { embedded, demo, packs }: Pick<EnvironmentFile, 'embedded' | 'demo' | 'packs'>,
): Promise<void> {
  const options = { cwd: checkout, env };
  // Only an environment of the embedded cluster needs its programs, which take long to build.
  const cluster = ['--to-run', 'pulumi', 'cluster', 'olm', ...(demo ? ['--if-possible', 'serving'] : [])];
  const programs = embedded ? cluster : ['pulumi'];
  await execute('node', ['toolchain/main.ts', 'ensure', ...programs], options);
  if (embedded) {
    await execute('node', ['cluster/embedded/main.ts', 'up'], options);
    await execute('node', ['cluster/mirror/main.ts'], options);
  }
  if (packs) await build(execute, checkout, env);
}

/** Packs the controller and the demo runtime into one file each, for images that are built from them. */
export async function build(execute: Execute, checkout: string, env: Variables): Promise<void> {
  const options = { cwd: checkout, env, quiet: true };
  await execute('npm', ['run', 'build', '--workspace', 'controller', '--workspace', 'demo'], options);
}
