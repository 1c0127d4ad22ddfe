import { mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { checkout } from '../../../packages/lib/checkout.ts';
import { run } from '../../../packages/lib/command.ts';

const PACKAGE = '@inference-stack-fleet/components';

interface PackageJson {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

/**
 * Makes a directory an npm project that holds nothing but the packed components and what they declare. Their own files
 * are unpacked, as npm does. Other packages are linked to the checkout's copies, because tests use no registry. A package that is
 * used but not declared is still missing.
 */
export async function installComponents(directory: string): Promise<void> {
  await run('npm', ['run', '--silent', 'build', '--workspace=components'], { cwd: checkout });
  await run('npm', ['pack', '--silent', '--workspace=components', `--pack-destination=${directory}`], {
    cwd: checkout,
  });
  const [packed = ''] = readdirSync(directory).filter((name) => name.endsWith('.tgz'));
  const target = join(directory, 'node_modules', PACKAGE);
  mkdirSync(target, { recursive: true });
  await run('tar', ['-xzf', join(directory, packed), '--strip-components=1', '-C', target]);
  const { dependencies, peerDependencies } = JSON.parse(
    readFileSync(join(target, 'package.json'), 'utf8'),
  ) as PackageJson;
  for (const name of Object.keys({ ...dependencies, ...peerDependencies })) link(directory, name);
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ name: 'empty', type: 'module', main: 'index.ts' }));
}

/** Links a package of the checkout into a project. */
export function link(directory: string, name: string): void {
  const path = join(directory, 'node_modules', name);
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(realpathSync(join(checkout, 'node_modules', name)), path);
}
