import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { archivePath, configuredGoProxy, goProxy, moduleCache } from '../../../toolchain/go-proxy.ts';

describe('the Go module proxy', () => {
  let directory: string;
  beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'go-proxy-'))));
  afterEach(() => rmSync(directory, { recursive: true }));

  it('is a list of addresses, with or without the way to repositories', () => {
    const { proxies, direct } = goProxy('https://one.example/,https://two.example|direct');
    assert.deepEqual(proxies, [
      { url: 'https://one.example', mayFail: false, signsIn: false },
      { url: 'https://two.example', mayFail: true, signsIn: false },
    ]);
    assert.equal(direct, true);
    assert.deepEqual(goProxy('off'), { setting: 'off', proxies: [], direct: false });
    assert.equal(goProxy('https://one.example,off,direct').direct, false);
  });

  it('is shown without its password', () => {
    const { setting, proxies } = goProxy('https://me:secret@one.example,direct');
    assert.equal(setting, 'https://one.example,direct');
    assert.equal(proxies[0]?.url, 'https://me:secret@one.example');
  });

  it('is found as the go command finds it: in the environment, in its file, or the public one', () => {
    const GOENV = join(directory, 'env');
    const found = (env: NodeJS.ProcessEnv): string[] => configuredGoProxy(env).proxies.map(({ url }) => url);
    assert.deepEqual(found({ GOENV }), ['https://proxy.golang.org']);
    writeFileSync(GOENV, 'GOFLAGS=-v\nGOPROXY=https://file.example\nGOMODCACHE=/elsewhere\n');
    assert.deepEqual(found({ GOENV }), ['https://file.example']);
    assert.deepEqual(found({ GOENV, GOPROXY: 'https://env.example' }), ['https://env.example']);
    assert.equal(moduleCache({ GOENV }), '/elsewhere');
    assert.equal(moduleCache({ GOENV: 'off', GOPATH: '/one:/two' }), '/one/pkg/mod');
  });

  it('may be one that the go command signs in to, by a netrc file that has the host or by a command', () => {
    const NETRC = join(directory, 'netrc');
    writeFileSync(NETRC, 'machine other.example login me password secret\nmachine one.example\nlogin me\n');
    const signsIn = (env: NodeJS.ProcessEnv): (boolean | undefined)[] =>
      configuredGoProxy({
        GOENV: 'off',
        GOPROXY: 'https://one.example:8080/go,https://two.example',
        ...env,
      }).proxies.map((proxy) => proxy.signsIn);
    assert.deepEqual(signsIn({ NETRC }), [true, false]);
    assert.deepEqual(signsIn({ NETRC, GOAUTH: 'off' }), [false, false]);
    assert.deepEqual(signsIn({ NETRC: join(directory, 'none') }), [false, false]);
    assert.deepEqual(signsIn({ NETRC: join(directory, 'none'), GOAUTH: 'netrc; my-helper' }), [true, true]);
  });

  it('serves archives by paths without capitals', () => {
    assert.equal(archivePath('github.com/Azure/go', 'v1.0.0'), 'github.com/!azure/go/@v/v1.0.0.zip');
  });
});
