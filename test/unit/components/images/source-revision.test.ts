import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import {
  CATALOG_SOURCES,
  DEMO_SOURCES,
  OPERATOR_SOURCES,
  sourceRevision,
} from '../../../../components/images/source-revision.ts';

const CHECKOUT = new URL('../../../../', import.meta.url).pathname;

/** The files of this checkout that a program is made of. */
async function filesOf(...entryPoints: readonly string[]): Promise<string[]> {
  const options = { bundle: true, write: false, metafile: true, platform: 'node', packages: 'external' } as const;
  const entries = [...entryPoints];
  const { metafile } = await build({
    ...options,
    absWorkingDir: CHECKOUT,
    entryPoints: entries,
    outdir: 'unused',
    format: 'esm',
  });
  return Object.keys(metafile.inputs);
}

function without(files: readonly string[], sources: readonly string[]): string[] {
  return files.filter((file) => !sources.some((source) => file === source || file.startsWith(`${source}/`)));
}

describe('the revision of the source', () => {
  it('is the newest commit that touched the paths', () => {
    const { revision, created } = sourceRevision('.', ['LICENSE'], {});
    assert.match(revision, /^[0-9a-f]{40}$/);
    assert.ok(created.getTime() > Date.UTC(2020, 0));
  });

  it('is dated by SOURCE_DATE_EPOCH outside a repository', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'archive-'));
    const env = { SOURCE_DATE_EPOCH: '86400', SOURCE_URL: 'https://example.com/fleet' };
    const expected = { revision: 'unknown', created: new Date(86_400_000), url: 'https://example.com/fleet' };
    assert.deepEqual(sourceRevision(directory, ['.'], env), expected);
    await rm(directory, { recursive: true });
  });

  describe('in a repository', () => {
    let directory: string;
    beforeEach(async () => {
      directory = await mkdtemp(join(tmpdir(), 'repository-'));
      git('init', '-q');
    });
    afterEach(() => rm(directory, { recursive: true }));

    function git(...args: readonly string[]): string {
      const identity = ['-c', 'user.name=test', '-c', 'user.email=test@example.com'];
      return execFileSync('git', ['-C', directory, ...identity, ...args], { encoding: 'utf8' }).trim();
    }

    async function change(path: string, content: string): Promise<void> {
      await mkdir(dirname(join(directory, path)), { recursive: true });
      await writeFile(join(directory, path), content);
    }

    /** Commits a change of a file. */
    async function commit(path: string): Promise<string> {
      await change(path, `changed ${Math.random()}`);
      git('add', '.');
      git('commit', '-q', '-m', path);
      return git('rev-parse', 'HEAD');
    }

    it('is that of a commit of the lock file, or of a file that images share', async () => {
      const revision = (sources: readonly string[]): string => sourceRevision(directory, sources, {}).revision;
      for (const path of [
        'controller/src/main.ts',
        'package-lock.json',
        'packages/lib/write-yaml.ts',
        'controller/build/x.ts',
      ]) {
        const committed = await commit(path);
        assert.equal(revision(OPERATOR_SOURCES), committed, path);
      }
      for (const path of ['catalog/operator_catalog.yaml', 'components/catalog/render.ts', 'package-lock.json']) {
        const committed = await commit(path);
        assert.equal(revision(CATALOG_SOURCES), committed, path);
      }
      for (const path of ['demo/src/main.ts', 'package-lock.json']) {
        const committed = await commit(path);
        assert.equal(revision(DEMO_SOURCES), committed, path);
      }
      const before = [OPERATOR_SOURCES, CATALOG_SOURCES, DEMO_SOURCES].map(revision);
      for (const path of ['README.md', 'docs/x.md', 'cli/x.ts', 'test/x.ts', 'policies/x.ts']) await commit(path);
      assert.deepEqual([OPERATOR_SOURCES, CATALOG_SOURCES, DEMO_SOURCES].map(revision), before);
    });

    it('says when the lock file differs from the commit', async () => {
      const committed = await commit('package-lock.json');
      await change('package-lock.json', 'newer');
      assert.equal(sourceRevision(directory, OPERATOR_SOURCES, {}).revision, `${committed}-dirty`);
    });

    it('goes by paths inside of the checkout, and not by others', async () => {
      const committed = await commit('catalog/a.yaml');
      const paths = ['catalog', join(directory, 'catalog/a.yaml'), '/elsewhere/template.yaml', '../template.yaml'];
      assert.equal(sourceRevision(directory, paths, {}).revision, committed);
    });
  });

  it('is asked for all files that the operator and its bundle are made of', async () => {
    const files = await filesOf(
      'controller/src/main.ts',
      'controller/build/bundle.ts',
      'components/bundle/bundle.ts',
      'components/images/build-context.ts',
    );
    assert.ok(files.includes('packages/lib/problem.ts') && files.includes('packages/lib/write-yaml.ts'));
    assert.deepEqual(without(files, OPERATOR_SOURCES), []);
  });

  it('is asked for all files that a catalog is made of', async () => {
    const files = await filesOf(
      'components/catalog/render.ts',
      'components/catalog/release.ts',
      'components/images/catalog-image.ts',
    );
    assert.deepEqual(without(files, CATALOG_SOURCES), []);
  });

  it('is asked for all files that the demo runtime is made of', async () => {
    assert.deepEqual(without(await filesOf('demo/src/main.ts'), DEMO_SOURCES), []);
  });

  it('is asked for nothing that is not there', () => {
    const all = [...OPERATOR_SOURCES, ...CATALOG_SOURCES, ...DEMO_SOURCES];
    assert.deepEqual(
      all.filter((source) => !existsSync(join(CHECKOUT, source))),
      [],
    );
  });
});
