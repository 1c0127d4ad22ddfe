import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import semver from 'semver';
import { archivePath, type GoProxy, goProxy } from '../../../toolchain/go-proxy.ts';
import { fetchGo, h1, toolchainFor, toolchainProblems } from '../../../toolchain/go-toolchain.ts';
import { modulesDirectory, programsFile } from '../../../toolchain/places.ts';
import { type Program, readProgramsFile } from '../../../toolchain/programs-file.ts';
import { readZip } from '../../../toolchain/zip.ts';
import { zipOf } from '../../support/registry/zip.ts';

const pinned = readProgramsFile(programsFile).programs['go'];

describe('the Go that is pinned', () => {
  assert.ok(pinned !== undefined);
  const { version = '', accept = '', h1: sums = {} } = pinned;

  it('is one that would be accepted from PATH', () => assert.ok(semver.satisfies(version, accept)));

  it('is new enough for every module, and so is each that is accepted', () => {
    for (const name of readdirSync(modulesDirectory)) {
      const goMod = join(modulesDirectory, name, 'go.mod');
      if (!existsSync(goMod)) continue;
      const needed = /^go (\S+)$/m.exec(readFileSync(goMod, 'utf8'))?.[1] ?? '';
      assert.ok(semver.gte(semver.minVersion(accept) ?? '0.0.0', needed), `${name} needs Go ${needed}`);
    }
  });

  it('has a checksum for each kind of machine that Node is pinned for', () => {
    assert.deepEqual(Object.keys(sums).sort(), ['arm64', 'x64']);
    for (const sum of Object.values(sums)) assert.match(sum, /^h1:[\w+/]{43}=$/);
    assert.equal(toolchainFor(pinned, 'linux', 'x64')?.version, `v0.0.1-go${version}.linux-amd64`);
  });

  it('has to be installed by hand where it is pinned for no such machine, or no proxy may be asked', () => {
    assert.equal(toolchainFor(pinned, 'darwin', 'arm64'), undefined);
    const message = (setting: string, platform: string): string | undefined =>
      toolchainProblems(pinned, toolchainFor(pinned, platform, 'x64'), goProxy(setting))[0]?.message;
    assert.equal(message('https://proxy.example', 'darwin'), 'has no pinned Go release');
    assert.equal(message('off', 'linux'), 'names no proxy that Go could be fetched from');
    assert.equal(message('https://proxy.example', 'linux'), undefined);
  });
});

describe('fetching Go', () => {
  let directory: string;
  let proxy: GoProxy;
  let program: Program;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'go-toolchain-'));
    const sums = { x64: '-', arm64: '-' };
    const unpinned = { toolchain: 'golang.org/toolchain', version: '1.99.0', seconds: 1, h1: sums };
    const version = toolchainFor(unpinned)?.version ?? '';
    const prefix = `golang.org/toolchain@${version}/`;
    const archive = zipOf({
      [`${prefix}bin/go`]: '#!/bin/sh\n',
      [`${prefix}pkg/tool/x/link`]: 'tool',
      [`${prefix}src/_go.mod`]: 'module std\n',
    });
    const path = join(directory, 'proxy', archivePath('golang.org/toolchain', version));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, archive);
    proxy = goProxy(`file:///nowhere,${pathToFileURL(join(directory, 'proxy')).href}`);
    const sum = h1(readZip(archive));
    program = { ...unpinned, h1: { x64: sum, arm64: sum } };
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  it('unpacks what the first proxy has that serves it, ready to be run', async () => {
    const target = join(directory, 'go');
    await fetchGo(program, target, proxy);
    for (const path of ['bin/go', 'pkg/tool/x/link']) assert.equal(statSync(join(target, path)).mode & 0o111, 0o111);
    assert.equal(readFileSync(join(target, 'src/go.mod'), 'utf8'), 'module std\n');
    assert.deepEqual(readdirSync(directory).sort(), ['go', 'proxy']);
  });

  it('unpacks nothing that differs from what is pinned', async () => {
    const other = `h1:${'A'.repeat(43)}=`;
    const target = join(directory, 'go');
    const fetching = fetchGo({ ...program, h1: { x64: other, arm64: other } }, target, proxy);
    await assert.rejects(fetching, /h1: differs from what programs.yaml pins .*Do not use it/);
    assert.equal(existsSync(target), false);
  });

  it('tells what each proxy said when none serves it', async () => {
    const fetching = fetchGo(program, join(directory, 'go'), goProxy('file:///nowhere'));
    await assert.rejects(fetching, /cannot be fetched from the Go module proxy .*ENOENT/s);
  });

  it('computes the checksum that Go computes', () => {
    // printf '%s  a\n%s  b\n' $(sha256 of each) | openssl dgst -sha256 -binary | base64
    const entries = readZip(zipOf({ b: 'b', a: 'a' }));
    assert.equal(h1(entries), 'h1:yxP0ANy2GOQA0PfVT3zbMw03oHJyy5mhAWzaWDChBVY=');
  });
});
