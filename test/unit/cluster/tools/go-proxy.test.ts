import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { archivePath, configuredGoProxy, goProxy, moduleCache } from '../../../../cluster/tools/go-proxy.ts';

describe('the Go module proxy', () => {
  let directory: string;
  beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'go-proxy-'))));
  afterEach(() => rmSync(directory, { recursive: true }));

  it('is a list of addresses, with or without the way to repositories', () => {
    const { urls, direct } = goProxy('https://one.example/,https://two.example|direct');
    assert.deepEqual(urls, ['https://one.example', 'https://two.example']);
    assert.equal(direct, true);
    assert.deepEqual(goProxy('off'), { setting: 'off', urls: [], direct: false });
  });

  it('is shown without its password', () => {
    const { setting, urls } = goProxy('https://me:secret@one.example,direct');
    assert.equal(setting, 'https://one.example,direct');
    assert.deepEqual(urls, ['https://me:secret@one.example']);
  });

  it('is found as the go command finds it: in the environment, in its file, or the public one', () => {
    const GOENV = join(directory, 'env');
    assert.deepEqual(configuredGoProxy({ GOENV }).urls, ['https://proxy.golang.org']);
    writeFileSync(GOENV, 'GOFLAGS=-v\nGOPROXY=https://file.example\nGOMODCACHE=/elsewhere\n');
    assert.deepEqual(configuredGoProxy({ GOENV }).urls, ['https://file.example']);
    assert.deepEqual(configuredGoProxy({ GOENV, GOPROXY: 'https://env.example' }).urls, ['https://env.example']);
    assert.equal(moduleCache({ GOENV }), '/elsewhere');
    assert.equal(moduleCache({ GOENV: 'off', GOPATH: '/one:/two' }), '/one/pkg/mod');
  });

  it('serves archives by paths without capitals', () => {
    assert.equal(archivePath('github.com/Azure/go', 'v1.0.0'), 'github.com/!azure/go/@v/v1.0.0.zip');
  });
});
