import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkout } from '../../../../packages/lib/checkout.ts';
import type { CatalogLock, LockedVersion } from '../../../../components/catalog/lock.ts';
import { writeLock } from '../../../../components/catalog/lock.ts';
import { readReleased } from '../../../../policies/facts/released.ts';

const PACKAGE = 'inference-stack-operator';

function locked(version: string, streams: LockedVersion['streams']): LockedVersion {
  const name = `${PACKAGE}.v${version}`;
  const digest = `sha256:${'a'.repeat(64)}`;
  const image = `docker.io/tytn/operator-bundle@${digest}`;
  return {
    version,
    image: `docker.io/tytn/operator-bundle:${version}`,
    digest,
    streams,
    bundle: { schema: 'olm.bundle', name, package: PACKAGE, image, properties: [] },
  };
}

describe('what was released', () => {
  let directory: string;
  let file: string;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'released-'));
    file = join(directory, 'catalog.lock.yaml');
  });
  after(() => rm(directory, { recursive: true }));

  it('is every bundle of the lock, the stable ones in the stable channel of their major', async () => {
    const lock: CatalogLock = {
      package: PACKAGE,
      versions: [
        locked('1.0.0', ['Candidate', 'Fast', 'Stable']),
        locked('1.1.0', ['Stable']),
        locked('2.0.0', ['Candidate']),
      ],
    };
    await writeFile(file, writeLock(lock));
    const { released } = readReleased(file);
    assert.deepEqual(released, [
      {
        package: { name: PACKAGE },
        bundles: lock.versions.map(({ bundle }) => bundle),
        channels: [{ name: 'stable-v1', entries: [{ name: `${PACKAGE}.v1.0.0` }, { name: `${PACKAGE}.v1.1.0` }] }],
      },
    ]);
  });

  it('is not known without a lock', () => {
    assert.deepEqual(readReleased(join(directory, 'nowhere.yaml')), {});
  });

  it('is not guessed from a damaged lock', async () => {
    await writeFile(file, 'versions: [{version: 1.0.0}]');
    assert.throws(() => readReleased(file), /is not what `fleet catalog add` writes/);
  });

  it('is read from the lock of this checkout', () => {
    const { released } = readReleased(join(checkout, 'catalog/catalog.lock.yaml'));
    assert.deepEqual(
      released?.map((content) => content.package.name),
      [PACKAGE],
    );
  });
});
