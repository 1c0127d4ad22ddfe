import assert from 'node:assert/strict';
import { lockProblems, templateProblems } from '../../../../components/catalog/append-only.ts';
import { parseLock, writeLock } from '../../../../components/catalog/lock.ts';
import type { CatalogLock } from '../../../../components/catalog/lock.ts';
import { addVersion, promoteVersion, renderReleased } from '../../../../components/catalog/release.ts';
import type { CatalogState } from '../../../../components/catalog/release.ts';
import { parseTemplate, STREAMS } from '../../../../components/catalog/template.ts';
import type { Stream } from '../../../../components/catalog/template.ts';
import { formatProblem } from '../../../../packages/lib/problem.ts';
import { tinyBundle } from '../../../support/olm/tiny-bundle.ts';

const FILE = 'catalog.yaml';
const EMPTY: CatalogState = {
  file: FILE,
  template: `# Our notes.
Schema: olm.semver
GenerateMajorChannels: true
Candidate:
  Bundles: []
# Fast is for the brave.
Fast:
  Bundles: []
Stable:
  Bundles: []
`,
  lock: { package: 'tiny', versions: [] },
};

const digestOf = (version: string): string => `sha256:${Buffer.from(version).toString('hex').padEnd(64, '0')}`;
const imageOf = (version: string): string => `docker.io/tytn/tiny:${version.replace('+', '_')}`;

function add(state: CatalogState, version: string, ...streams: Stream[]): CatalogState {
  const image = imageOf(version);
  return addVersion(state, { image, digest: digestOf(version), bundle: tinyBundle(image, { version }), streams });
}

const RELEASED = add(add(EMPTY, '1.0.0', 'Candidate', 'Fast', 'Stable'), '1.1.0', 'Candidate');

/** Does what a remedy says. */
function record(state: CatalogState, remedy: string): CatalogState {
  const [, version = '', channels = ''] =
    /`fleet catalog add --image docker\.io\/tytn\/tiny:(\S+) --channels (\S+)`/.exec(remedy) ?? [];
  return add(state, version, ...STREAMS.filter((stream) => channels.split(',').includes(stream.toLowerCase())));
}

function withTemplate(change: (text: string) => string): string[] {
  const template = parseTemplate(change(RELEASED.template), FILE);
  return templateProblems(template, RELEASED.lock, FILE).map(formatProblem);
}

function afterLockChange(change: (lock: CatalogLock) => CatalogLock): string[] {
  return lockProblems(RELEASED.lock, change(RELEASED.lock), 'lock.yaml').map(formatProblem);
}

describe('releasing a version', () => {
  it('adds it to the template, whose comments stay, and to the lock', () => {
    assert.equal(
      RELEASED.template,
      `# Our notes.
Schema: olm.semver
GenerateMajorChannels: true
Candidate:
  Bundles:
    - Image: docker.io/tytn/tiny:1.0.0
    - Image: docker.io/tytn/tiny:1.1.0
# Fast is for the brave.
Fast:
  Bundles:
    - Image: docker.io/tytn/tiny:1.0.0
Stable:
  Bundles:
    - Image: docker.io/tytn/tiny:1.0.0
`,
    );
    assert.deepEqual(
      RELEASED.lock.versions.map(({ version, streams }) => [version, ...streams]),
      [
        ['1.0.0', 'Candidate', 'Fast', 'Stable'],
        ['1.1.0', 'Candidate'],
      ],
    );
  });

  it('makes a catalog that refers to the released digests, without a registry', () => {
    const catalog = renderReleased(RELEASED);
    const digest = `docker.io/tytn/tiny@${digestOf('1.0.0')}`;
    const bundle = catalog.bundles.find(({ name }) => name === 'tiny.v1.0.0');
    assert.equal(bundle?.image, digest);
    assert.ok(bundle.relatedImages?.some(({ image }) => image === digest));
    assert.ok(!JSON.stringify(catalog).includes('docker.io/tytn/tiny:'));
  });

  it('can be read back from the lock', () => {
    assert.deepEqual(parseLock(writeLock(RELEASED.lock), 'lock.yaml'), RELEASED.lock);
  });

  it('takes over an entry that somebody has written into the template by hand', () => {
    const template = EMPTY.template.replace(
      'Stable:\n  Bundles: []',
      'Stable:\n  Bundles:\n  - Image: docker.io/tytn/tiny:1.0.0',
    );
    assert.equal(add({ ...EMPTY, template }, '1.0.0', 'Stable').template, template);
  });

  it('adds streams to what is released, and takes no other image for it', () => {
    const { lock } = add(RELEASED, '1.1.0', 'Stable');
    assert.deepEqual(lock.versions.at(-1)?.streams, ['Candidate', 'Stable']);
    const image = imageOf('1.1.0');
    const bundle = tinyBundle(image, { version: '1.1.0' });
    const again = { image, digest: digestOf('1.1.0'), bundle, streams: ['Stable'] } as const;
    for (const other of [{ digest: digestOf('other') }, { image: 'docker.io/other/tiny:1.1.0' }]) {
      assert.throws(() => addVersion(RELEASED, { ...again, ...other }), /version 1\.1\.0 is already released/);
    }
  });

  it('is refused twice, for build metadata alone, and for another package', () => {
    assert.throws(
      () => add(RELEASED, '1.0.0', 'Fast'),
      /version 1\.0\.0 is already released \(got .*\)\. Release a new patch/,
    );
    assert.throws(
      () => add(RELEASED, '1.0.0+x', 'Fast'),
      /version 1\.0\.0\+x differs only in build metadata from the released 1\.0\.0/,
    );
    assert.throws(
      () => add(RELEASED, '3.0.0+b7', 'Fast'),
      /version 3\.0\.0\+b7 has build metadata, which catalogs cannot order versions by/,
    );
    const bundle = tinyBundle(imageOf('2.0.0'), { version: '2.0.0', packageName: 'other' });
    assert.throws(
      () => addVersion(RELEASED, { image: imageOf('2.0.0'), digest: digestOf('2.0.0'), bundle, streams: ['Fast'] }),
      /belongs to package other, not to tiny/,
    );
  });

  it('is refused when the template is laid out in a way that cannot be edited safely', () => {
    const template = 'Schema: olm.semver\nFast: {Bundles: [\n  {Image: docker.io/tytn/tiny:1.0.0}]}\n';
    const state = { file: FILE, template, lock: { package: 'tiny', versions: [] } };
    assert.throws(() => add(state, '1.1.0', 'Fast'), {
      message:
        'catalog.yaml: Fast.Bundles: is laid out in an unusual way. ' +
        'Add "- Image: docker.io/tytn/tiny:1.1.0" there by hand, and run the command again.',
    });
  });
});

describe('promoting a version', () => {
  it('goes from candidate to fast to stable and leaves it where it was', () => {
    const fast = promoteVersion(RELEASED, 'v1.1.0');
    assert.equal(fast.stream, 'Fast');
    const stable = promoteVersion(fast.state, '1.1.0');
    assert.equal(stable.stream, 'Stable');
    const { images } = parseTemplate(stable.state.template, FILE);
    for (const stream of ['Candidate', 'Fast', 'Stable'] as const) assert.ok(images[stream].includes(imageOf('1.1.0')));
    assert.throws(() => promoteVersion(stable.state, '1.1.0'), /VERSION: is already in Stable \(got "1\.1\.0"\)/);
  });

  it('is refused for what is not released', () => {
    assert.throws(
      () => promoteVersion(RELEASED, '9.0.0'),
      /is not released \(got "9\.0\.0"\)\. Released versions: 1\.0\.0, 1\.1\.0\./,
    );
    assert.throws(() => promoteVersion(EMPTY, '9.0.0'), /Nothing is released yet: use `fleet catalog add`\./);
  });
});

describe('a catalog is append-only', () => {
  it('as it was released', () =>
    assert.deepEqual(
      withTemplate((text) => text),
      [],
    ));

  it('refuses to lose a version from Stable, by name', () => {
    assert.deepEqual(
      withTemplate((text) => text.replace(/(Stable:\n {2}Bundles:)\n.*\n/, '$1 []\n')),
      [
        'catalog.yaml: Stable.Bundles: version 1.0.0 was released to Stable and is no longer listed there, ' +
          'but clusters may rely on it. Put back: - Image: docker.io/tytn/tiny:1.0.0',
      ],
    );
  });

  it('refuses a released version under another image name', () => {
    const problems = withTemplate((text) => text.replaceAll('tytn/tiny:1.1.0', 'other/tiny:1.1.0'));
    assert.deepEqual(problems, [
      'catalog.yaml: Candidate.Bundles: version 1.1.0 was released to Candidate and is no longer listed there, ' +
        'but clusters may rely on it. Put back: - Image: docker.io/tytn/tiny:1.1.0',
      'catalog.yaml: Candidate.Bundles[1].Image: lists another image for version 1.1.0, which was released as ' +
        'docker.io/tytn/tiny:1.1.0 (got "docker.io/other/tiny:1.1.0"). Put back: - Image: docker.io/tytn/tiny:1.1.0',
    ]);
  });

  it('refuses what nobody has recorded, and says how to record it', () => {
    assert.deepEqual(
      withTemplate((text) => `${text}    - Image: docker.io/tytn/tiny:2.0.0\n`),
      [
        'catalog.yaml: Stable.Bundles[1].Image: is not recorded as released (got "docker.io/tytn/tiny:2.0.0"). ' +
          'Record it with `fleet catalog add --image docker.io/tytn/tiny:2.0.0 --channels stable`.',
      ],
    );
    assert.deepEqual(
      withTemplate((text) => `${text}    - Image: docker.io/tytn/tiny:1.1.0\n`),
      [
        'catalog.yaml: Stable.Bundles[1].Image: is not recorded as released to Stable (got "docker.io/tytn/tiny:1.1.0"). ' +
          'Record it with `fleet catalog add --image docker.io/tytn/tiny:1.1.0 --channels stable`.',
      ],
    );
  });

  it('records what was written by hand with the commands that it names, whatever was listed where', () => {
    const lists: readonly Readonly<Partial<Record<Stream, readonly string[]>>>[] = [
      { Stable: ['1.1.0'] },
      { Fast: ['1.1.0'], Stable: ['1.1.0'] },
      { Fast: ['2.0.0'], Stable: ['2.0.0'] },
      { Fast: ['1.1.0', '2.0.0'], Stable: ['2.0.0', '2.1.0'] },
    ];
    for (const listed of lists) {
      const template = Object.entries(listed).reduce(
        (text, [stream, versions]) =>
          text.replace(
            new RegExp(`(${stream}:\\n {2}Bundles:\\n)`),
            `$1${versions.map((version) => `    - Image: ${imageOf(version)}\n`).join('')}`,
          ),
        RELEASED.template,
      );
      const images = new Set(Object.values(listed).flat());
      const state = { ...RELEASED, template };
      const problems = templateProblems(parseTemplate(template, FILE), state.lock, FILE);
      assert.equal(problems.length, images.size);
      const recorded = problems.reduce((next, { remedy }) => record(next, remedy ?? ''), state);
      assert.deepEqual(templateProblems(parseTemplate(recorded.template, FILE), recorded.lock, FILE), []);
      assert.equal(recorded.template, template);
    }
  });

  it('holds the lock to its own past', () => {
    assert.deepEqual(
      afterLockChange((lock) => lock),
      [],
    );
    assert.deepEqual(
      afterLockChange(() => add(RELEASED, '1.2.0', 'Fast').lock),
      [],
    );
    assert.match(
      afterLockChange((lock) => ({ ...lock, versions: lock.versions.slice(1) })).join('\n'),
      /^lock\.yaml: versions\.1\.0\.0: was released and is gone, but clusters may rely on it\. Restore/,
    );
    const [first, ...rest] = RELEASED.lock.versions;
    assert.ok(first);
    const changed = (change: object): string =>
      afterLockChange((lock) => ({ ...lock, versions: [{ ...first, ...change }, ...rest] })).join('\n');
    assert.match(
      changed({ digest: 'sha256:0' }),
      /^lock\.yaml: versions\.1\.0\.0\.digest: was released with a different digest/,
    );
    assert.match(
      changed({ streams: ['Fast'] }),
      /has left Candidate.*\n.*has left Stable, but clusters may rely on it/,
    );
  });

  it('refuses a lock that was damaged', () => {
    const message =
      'lock.yaml: versions[0]: is not what `fleet catalog add` writes. Restore it, e.g. with git checkout lock.yaml.';
    assert.throws(() => parseLock('package: tiny\nversions: [{version: 1.0.0}]', 'lock.yaml'), { message });
  });
});
