import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CargoMetadata, collectLicences, compiledPackages } from '../../../toolchain/rust-licences.ts';
import { StandIns } from '../../support/machine/stand-ins.ts';

/** A crate with a dependency of each kind, and one that its dependency has. */
function metadataIn(directory: string): CargoMetadata {
  const package_ = (name: string, license: string | null): CargoMetadata['packages'][number] => {
    mkdirSync(join(directory, name), { recursive: true });
    return { id: name, name, version: '1.0.0', license, manifest_path: join(directory, name, 'Cargo.toml') };
  };
  const dep = (pkg: string, kind: string | null): { pkg: string; dep_kinds: { kind: string | null }[] } => ({
    pkg,
    dep_kinds: [{ kind }],
  });
  return {
    packages: [
      package_('root', 'MIT'),
      package_('used', null),
      package_('deep', 'ISC'),
      package_('test', 'GPL-3.0'),
      package_('script', 'MIT'),
    ],
    resolve: {
      root: 'root',
      nodes: [
        { id: 'root', deps: [dep('used', null), dep('test', 'dev'), dep('script', 'build')] },
        { id: 'used', deps: [dep('deep', null)] },
        { id: 'deep', deps: [dep('root', null)] },
      ],
    },
  };
}

describe('the licences of a crate', () => {
  let directory: string;
  beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'licences-'))));
  afterEach(() => rmSync(directory, { recursive: true }));

  it('are those of what is compiled into it, and not of what only tests and build scripts use', () => {
    const names = compiledPackages(metadataIn(directory)).map(({ name }) => name);
    assert.deepEqual(names, ['deep', 'root', 'used']);
  });

  it('are copied by crate, with a list for those that publish no file', async () => {
    const metadata = metadataIn(join(directory, 'crates'));
    for (const file of ['LICENSE-MIT', 'COPYING', 'main.rs']) writeFileSync(join(directory, 'crates/deep', file), file);
    writeFileSync(join(directory, 'metadata.json'), JSON.stringify(metadata));
    const standIns = new StandIns({
      rustc: 'echo "host: x86_64-unknown-linux-gnu"',
      // Without a host, dependencies of other systems would be listed.
      cargo: `[ "$1 $5 $6" = 'metadata --filter-platform x86_64-unknown-linux-gnu' ] && cat '${directory}/metadata.json'`,
    });
    const target = join(directory, 'target');
    await collectLicences(directory, process.env, target).finally(() => standIns.remove());
    assert.equal(
      readFileSync(join(target, 'crates.txt'), 'utf8'),
      'deep 1.0.0: ISC\nroot 1.0.0: MIT\nused 1.0.0: see its files\n',
    );
    assert.deepEqual(readdirSync(target).sort(), ['crates.txt', 'deep-1.0.0']);
    assert.deepEqual(readdirSync(join(target, 'deep-1.0.0')).sort(), ['COPYING', 'LICENSE-MIT']);
  });
});
