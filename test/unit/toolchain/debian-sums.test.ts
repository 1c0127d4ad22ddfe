import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkArchives, sumsPath, testedSums } from '../../../toolchain/debian-sums.ts';
import { programsFile } from '../../../toolchain/places.ts';
import { readProgramsFile } from '../../../toolchain/programs-file.ts';
import { sumOf } from '../../support/registry/package-index.ts';

describe('packages that were tested', () => {
  let directory: string;
  let said: string[];
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'sums-'));
    said = [];
    for (const name of ['a_1_amd64.deb', 'b_2_amd64.deb']) writeFileSync(join(directory, name), name);
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const lineOf = (name: string, content = name): string => `${sumOf(Buffer.from(content))}  ${name}\n`;
  const check = (sums: string): void =>
    checkArchives(directory, ['a_1_amd64.deb', 'b_2_amd64.deb'], sums, (line) => said.push(line));

  it('are used without a word', () => {
    check(lineOf('a_1_amd64.deb') + lineOf('b_2_amd64.deb'));
    assert.deepEqual(said, []);
  });

  it('are used in other versions by their signature, and those are named once', () => {
    check(lineOf('a_1_amd64.deb') + lineOf('b_1_amd64.deb'));
    assert.deepEqual(said, [
      "Of other versions than those that were tested, by Debian's signature alone: b_2_amd64.deb",
    ]);
    check('');
    assert.match(said[1] ?? '', /: a_1_amd64\.deb, b_2_amd64\.deb$/);
  });

  it('are refused with another content, each by name', () => {
    assert.throws(
      () => check(lineOf('a_1_amd64.deb', 'other') + lineOf('b_2_amd64.deb', 'other')),
      /^ProblemsError: a_1_amd64\.deb: sha256: differs .*\nb_2_amd64\.deb: sha256: differs from what was tested .*\/etc\/apt/,
    );
    assert.deepEqual(said, []);
  });

  it('are written down for every program of a release that changes every day, for both architectures', () => {
    const { programs } = readProgramsFile(programsFile);
    const moving = Object.keys(programs).filter((name) => programs[name]?.moving === true);
    assert.deepEqual(moving, ['llama-server']);
    for (const name of moving) {
      const lines = readFileSync(sumsPath(name), 'utf8').trimEnd().split('\n');
      for (const line of lines) assert.match(line, /^[0-9a-f]{64} {2}\S+_(amd64|arm64|all)\.deb$/);
      const packageName = programs[name]?.debian ?? '';
      assert.equal(lines.filter((line) => line.includes(`  ${packageName}_`)).length, 2);
    }
    assert.equal(testedSums('runc'), '');
  });
});
