import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
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

  describe('withdraw', () => {
    const FILES = ['t.yaml', 'l.yaml', 'd.yaml'];
    const SAYS = 'Withdrawn: It forgets. Way out: go back to 1.0.0 with rollbackTo.';
    const withdraw = ['withdraw', '--version', 'v1.1.0', '--reason', 'It forgets'];
    let directory: string;

    beforeEach(async () => {
      directory = await mkdtemp(join(tmpdir(), 'catalog-'));
      const [template = '', lock = '', deprecations = ''] = FILES.map((name) => join(directory, name));
      await writeState(releasedState({ '1.0.0': ['Candidate', 'Fast'], '1.1.0': ['Candidate'] }, template), lock);
      await writeFile(deprecations, '# Ours.\n');
    });
    afterEach(() => rm(directory, { recursive: true }));

    const read = (): Promise<string[]> => Promise.all(FILES.map((name) => readFile(join(directory, name), 'utf8')));

    async function fleet(...args: readonly string[]): Promise<{ readonly code: number; readonly said: string }> {
      const said: string[] = [];
      const say = (text: string): void => void said.push(text);
      const code = await main(['catalog', ...args, ...filesOf(directory)], { ...processIo, out: say, err: say });
      return { code, said: said.join('').replaceAll(`${directory}/`, '') };
    }

    it('changes the deprecations alone, and says what users read', async () => {
      const [template, lock] = await read();
      assert.deepEqual(await fleet(...withdraw), {
        code: 0,
        said: `v1.1.0 is withdrawn, and stays installable. Users read: ${SAYS}\nCommit d.yaml, then run make catalog-build-push.\n`,
      });
      const after = await read();
      assert.deepEqual(after.slice(0, 2), [template, lock]);
      const [, , text = ''] = after;
      assert.ok(text.startsWith('# Ours.\nschema: olm.deprecations\npackage: tiny\n'), text);
      assert.ok(text.endsWith(`message: '${SAYS}'\n`), text);
    });

    it('changes nothing when it is done again, or refused', async () => {
      await fleet(...withdraw);
      const once = await read();
      assert.deepEqual(await fleet(...withdraw), {
        code: 0,
        said: `v1.1.0 is withdrawn already, and nothing has changed. Users read: ${SAYS}\n`,
      });
      for (const [refused, message] of [
        [['withdraw', '--version', 'v1.1.0', '--reason', 'It forgot'], /^d\.yaml: REASON: differs from the reason /],
        [['withdraw', '--version', 'v1.0.0', '--reason', 'No.'], /^t\.yaml: VERSION: cannot be withdrawn yet: /],
        [['promote', '--version', 'v1.1.0'], /^d\.yaml: VERSION: is deprecated: Withdrawn: It forgets\. /],
      ] as const) {
        const { code, said } = await fleet(...refused);
        assert.equal(code, 1, said);
        assert.match(said, message);
      }
      assert.deepEqual(await read(), once);
    });

    it('has its ways out written again by a release that changes them', async () => {
      await fleet('withdraw', '--version', 'v1.0.0', '--reason', 'Slow.');
      const [, , before] = await read();
      assert.match(
        before ?? '',
        /upgrade to 1\.1\.0 \(candidate-v1\); no other version in fast-v1, while candidate-v1 has/,
      );
      const { said } = await fleet('promote', '--version', 'v1.1.0');
      assert.equal(
        said,
        'v1.1.0 is now in Fast. Commit t.yaml, l.yaml and d.yaml, then run make catalog-build-push.\n',
      );
      const [, , after] = await read();
      assert.match(after ?? '', /Way out: upgrade to 1\.1\.0\.'\n$/);
    });
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
      await mkdir(join(directory, 'manifests'));
      await writeFile(join(directory, 'manifests', 'stale'), '');
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
      await assert.rejects(readFile(join(directory, 'manifests', 'stale')));
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});
