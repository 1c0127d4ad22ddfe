import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { run } from '../packages/lib/command.ts';

/** What `cargo metadata` says, as far as it is used. */
export interface CargoMetadata {
  readonly packages: readonly CargoPackage[];
  readonly resolve: {
    readonly root: string;
    readonly nodes: readonly {
      readonly id: string;
      readonly deps: readonly {
        readonly pkg: string;
        readonly dep_kinds: readonly { readonly kind: string | null }[];
      }[];
    }[];
  };
}

interface CargoPackage {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly license: string | null;
  readonly manifest_path: string;
}

const LICENCE_FILE = /^(licen[cs]e|copying|copyright|notice|unlicense)/i;

/** Copies the licence files of a crate and of every crate that is compiled into it, and lists their licences. */
export async function collectLicences(cwd: string, env: NodeJS.ProcessEnv, target: string): Promise<void> {
  const host = /^host: (\S+)$/m.exec(await run('rustc', ['-vV'], { env }))?.[1] ?? '';
  const args = ['metadata', '--locked', '--format-version', '1', '--filter-platform', host];
  const packages = compiledPackages(JSON.parse(await run('cargo', args, { cwd, env })) as CargoMetadata);
  mkdirSync(target, { recursive: true });
  // Some crates publish no licence file; the list says which licence they name in Cargo.toml.
  const list = packages.map(({ name, version, license }) => `${name} ${version}: ${license ?? 'see its files'}\n`);
  writeFileSync(join(target, 'crates.txt'), list.join(''));
  for (const { name, version, manifest_path: manifest } of packages) {
    const source = dirname(manifest);
    const files = readdirSync(source, { withFileTypes: true }).filter((entry) => entry.isFile());
    for (const file of files.filter((entry) => LICENCE_FILE.test(entry.name))) {
      const folder = join(target, `${name}-${version}`);
      mkdirSync(folder, { recursive: true });
      copyFileSync(join(source, file.name), join(folder, file.name));
    }
  }
}

/** Crates whose code is in the product: reached without dependencies of tests and of build scripts. */
export function compiledPackages({ packages, resolve }: CargoMetadata): CargoPackage[] {
  const nodes = new Map(resolve.nodes.map((node) => [node.id, node]));
  const reached = new Set([resolve.root]);
  for (const id of reached) {
    for (const { pkg, dep_kinds: kinds } of nodes.get(id)?.deps ?? []) {
      if (kinds.some(({ kind }) => kind === null)) reached.add(pkg);
    }
  }
  return packages
    .filter(({ id }) => reached.has(id))
    .sort((one, other) => one.name.localeCompare(other.name, 'en') || one.version.localeCompare(other.version, 'en'));
}
