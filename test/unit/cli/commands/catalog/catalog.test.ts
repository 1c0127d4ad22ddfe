import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { graphPage } from '../../../../../cli/commands/catalog/graph.ts';
import { readDeprecations, readState, writeState } from '../../../../../cli/commands/catalog/files.ts';
import { processIo } from '../../../../../cli/io.ts';
import { main } from '../../../../../cli/main.ts';
import { writeLock } from '../../../../../components/catalog/lock.ts';
import { addVersion } from '../../../../../components/catalog/release.ts';
import type { CatalogState } from '../../../../../components/catalog/release.ts';
import { recordingIo } from '../../../../support/people/recording-io.ts';
import { releasedState } from '../../../../support/olm/released-state.ts';
import { tinyBundle } from '../../../../support/olm/tiny-bundle.ts';

const IMAGE = 'docker.io/tytn/tiny:1.0.0';
const DIGEST = `sha256:${'a'.repeat(64)}`;

function released(file: string): CatalogState {
  const template = 'Schema: olm.semver\nGenerateMajorChannels: true\nStable:\n  Bundles: []\n';
  const empty = { template, file, lock: { package: 'tiny', versions: [] } };
  const bundle = tinyBundle(IMAGE, { version: '1.0.0' });
  return addVersion(empty, { image: IMAGE, digest: DIGEST, bundle, streams: ['Candidate'] });
}

/** The options for a catalog in a folder of its own. */
function filesOf(directory: string): readonly string[] {
  const [file = '', lock = '', deprecations = ''] = ['t.yaml', 'l.yaml', 'd.yaml'].map((name) => join(directory, name));
  return ['-f', file, '--lock', lock, '--deprecations', deprecations];
}

describe('fleet catalog', () => {
  it('renders from the lock, without a registry', async () => {
    const { template, lock } = released('t.yaml');
    const io = recordingIo({ 't.yaml': template, 'l.yaml': writeLock(lock) });
    assert.equal(await main(['catalog', 'render', '-f', 't.yaml', '--lock', 'l.yaml'], io), 0);
    assert.match(io.stdout(), new RegExp(`"image": "docker\\.io/tytn/tiny@${DIGEST}"`));
    assert.equal(io.stderr(), '');
  });

  it('prints nothing but the problem when a release is missing from the template', async () => {
    const { lock } = released('t.yaml');
    const io = recordingIo({
      't.yaml': 'Schema: olm.semver\nGenerateMajorChannels: true\n',
      'l.yaml': writeLock(lock),
    });
    assert.equal(await main(['catalog', 'render', '-f', 't.yaml', '--lock', 'l.yaml'], io), 1);
    assert.equal(io.stdout(), '');
    assert.match(
      io.stderr(),
      /^t\.yaml: Candidate\.Bundles: version 1\.0\.0 was released to Candidate and is no longer/,
    );
  });

  it('promotes in the files themselves', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'catalog-'));
    const [file, lock] = [join(directory, 't.yaml'), join(directory, 'l.yaml')];
    try {
      await writeState(released(file), lock);
      const deprecations = join(directory, 'd.yaml');
      await writeFile(deprecations, '');
      const args = ['catalog', 'promote', '--version', 'v1.0.0', ...filesOf(directory)];
      assert.equal(await main(args, { ...processIo, out: () => undefined }), 0);
      assert.match(await readFile(file, 'utf8'), /Fast:\n {2}Bundles:\n {4}- Image: docker\.io\/tytn\/tiny:1\.0\.0/);
      assert.match(await readFile(lock, 'utf8'), /streams:\n {2}- Candidate\n {2}- Fast\n/);
      const io = recordingIo({ [file]: await readFile(file, 'utf8'), [lock]: await readFile(lock, 'utf8') });
      assert.equal(await main(['catalog', 'check', '-f', file, '--lock', lock], io), 0);
      assert.equal(io.stdout(), '1 released versions, none removed or changed.\n');
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  it('withdraws in the deprecations alone, once, and says what users read', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'catalog-'));
    try {
      const files = filesOf(directory);
      const read = (): Promise<string[]> =>
        Promise.all(['t.yaml', 'l.yaml', 'd.yaml'].map((name) => readFile(join(directory, name), 'utf8')));
      const fleet = async (...args: readonly string[]): Promise<readonly [number, string]> => {
        const io = recordingIo();
        const code = await main(['catalog', ...args, ...files], { ...io, read: processIo.read });
        return [code, `${io.stdout()}${io.stderr()}`.replaceAll(`${directory}/`, '')];
      };
      await writeState(
        releasedState({ '1.0.0': ['Candidate', 'Fast'], '1.1.0': ['Candidate'] }, join(directory, 't.yaml')),
        join(directory, 'l.yaml'),
      );
      await writeFile(join(directory, 'd.yaml'), '# Ours.\n');
      const [template, lock] = await read();
      const withdraw = ['withdraw', '--version', 'v1.1.0', '--reason', 'It forgets'];
      const says = 'Withdrawn: It forgets. Way out: go back to 1.0.0 with rollbackTo.';
      assert.deepEqual(await fleet(...withdraw), [
        0,
        `v1.1.0 is withdrawn, and stays installable. Users read: ${says}\nCommit d.yaml, then run make catalog-build-push.\n`,
      ]);
      const after = await read();
      assert.deepEqual(after.slice(0, 2), [template, lock]);
      assert.ok(after[2]?.startsWith('# Ours.\nschema: olm.deprecations\npackage: tiny\n'), after[2]);
      assert.deepEqual(await fleet(...withdraw), [
        0,
        `v1.1.0 is withdrawn already, and nothing has changed. Users read: ${says}\n`,
      ]);
      assert.equal((await fleet('withdraw', '--version', 'v1.1.0', '--reason', 'It forgot'))[0], 1);
      assert.match((await fleet('promote', '--version', 'v1.1.0'))[1], /d\.yaml: VERSION: is deprecated: Withdrawn: /);
      assert.deepEqual(await read(), after);
      const older = await fleet('withdraw', '--version', 'v1.0.0', '--reason', 'It forgets, too');
      assert.match(
        older[1],
        /would move clusters that follow candidate-v1 from 1\.0\.0 to 1\.1\.0, which is withdrawn, too/,
      );
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  it('writes ways out again when a release changes them', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'catalog-'));
    try {
      const state = releasedState(
        { '1.0.0': ['Candidate', 'Fast'], '1.1.0': ['Candidate'] },
        join(directory, 't.yaml'),
      );
      await writeState(state, join(directory, 'l.yaml'));
      await writeFile(join(directory, 'd.yaml'), '');
      for (const args of [
        ['withdraw', '--version', 'v1.0.0', '--reason', 'Slow.'],
        ['promote', '--version', 'v1.1.0'],
      ]) {
        const io = recordingIo();
        const quiet = { ...io, read: processIo.read };
        assert.equal(await main(['catalog', ...args, ...filesOf(directory)], quiet), 0, io.stderr());
        const text = await readFile(join(directory, 'd.yaml'), 'utf8');
        if (args[0] === 'withdraw')
          assert.match(text, /upgrade to 1\.1\.0 \(candidate-v1\); no other version in fast-v1, /);
        else assert.match(text, /Way out: upgrade to 1\.1\.0\.'\n$/);
        if (args[0] === 'promote') assert.match(io.stdout(), /t\.yaml, \S+l\.yaml and \S+d\.yaml, then run make/);
      }
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  it('says what it understands', async () => {
    for (const args of [['catalog'], ['catalog', 'burn'], ['catalog', 'add'], ['catalog', 'render', '-o', 'xml']]) {
      const io = recordingIo({ '-': '' });
      assert.equal(await main(args, io), 2, args.join(' '));
      assert.match(io.stderr(), /Usage: fleet catalog /);
    }
  });

  it('draws the graph of what is released', () => {
    const page = graphPage(released('t.yaml'));
    assert.match(page, /\| candidate-v1 \| 1\.0\.0 \| yes \|/);
    assert.match(page, /```mermaid\ngraph LR\n/);
  });

  it('has written the page of this repository with the present catalog', async () => {
    const { deprecations } = await readDeprecations(processIo);
    const expected = graphPage(await readState(processIo), deprecations);
    assert.equal(await readFile('docs/reference/upgrade-graph.md', 'utf8'), expected, 'run make catalog-graph');
  });
});

describe('fleet bundle', () => {
  it('writes a directory that a bundle image is built from', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'bundle-'));
    try {
      await writeFile(join(directory, 'stale'), '');
      const image = `docker.io/tytn/operator@${DIGEST}`;
      const args = ['bundle', 'write', '--version', 'v1.2.3', '--controller-image', image, '-d', directory];
      const io = recordingIo();
      assert.equal(await main(args, io), 0, io.stderr());
      assert.equal(io.stdout(), `Version 1.2.3 is in ${directory}.\n`);
      assert.match(await readFile(join(directory, 'Dockerfile'), 'utf8'), /^FROM scratch\n/);
      const manifests = join(directory, 'manifests', 'inference-stack-operator.clusterserviceversion.yaml');
      assert.match(
        await readFile(manifests, 'utf8'),
        /apiVersion: models\.titanml\.co\/v1beta1\n/,
        'the version that the program uses too',
      );
      await assert.rejects(readFile(join(directory, 'stale')));
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});
