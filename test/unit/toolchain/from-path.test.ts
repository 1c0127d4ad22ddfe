import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import semver from 'semver';
import { findSuitable, pluginPath } from '../../../toolchain/from-path.ts';
import { programsFile, pulumiHomeDirectory } from '../../../toolchain/places.ts';
import { readProgramsFile } from '../../../toolchain/programs-file.ts';

const { programs } = readProgramsFile(programsFile);

describe('a program that is on the machine already', () => {
  const before = { PATH: process.env['PATH'], HOME: process.env['HOME'], PULUMI_HOME: process.env['PULUMI_HOME'] };
  let directory: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'from-path-'));
    process.env['PATH'] = `${directory}:/usr/bin:/bin`;
    process.env['HOME'] = directory;
    delete process.env['PULUMI_HOME'];
  });

  afterEach(() => {
    rmSync(directory, { recursive: true });
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
    }
  });

  /** Prints its version to whoever asks as programs.yaml says, and nothing otherwise. */
  function place(path: string, version: string, probe = '--version'): string {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `#!/bin/sh\n[ "$*" = "${probe}" ] && echo "this is v${version}, built today"\n`);
    chmodSync(path, 0o755);
    return path;
  }

  const accepted = Object.entries(programs).filter(([name, { accept }]) => accept !== undefined && name !== 'node');
  for (const [name, program] of accepted) {
    it(`is used instead of building ${name}, where its version is accepted`, async () => {
      const version = semver.minVersion(program.accept ?? '')?.version ?? '';
      const path = place(join(directory, name), version, program.probe);
      assert.equal(await findSuitable(name, program), path);
      place(path, '0.0.1', program.probe);
      assert.equal(await findSuitable(name, program), undefined);
    });
  }

  const plugins = Object.entries(programs).flatMap(([name, { plugin }]) =>
    plugin === undefined ? [] : { name, plugin },
  );
  for (const { name, plugin } of plugins) {
    it(`is used instead of building ${name}, where Pulumi has installed it`, async () => {
      const program = { plugin, seconds: 0 };
      const own = place(pluginPath(join(directory, '.pulumi'), plugin, name), '');
      assert.equal(await findSuitable(name, program), own);
      const home = join(directory, 'elsewhere');
      process.env['PULUMI_HOME'] = home;
      assert.equal(await findSuitable(name, program), undefined);
      const elsewhere = place(pluginPath(home, plugin, name), '');
      assert.equal(await findSuitable(name, program), elsewhere);
    });

    it(`is not this checkout's own link to ${name}, which is being provided`, async () => {
      process.env['PULUMI_HOME'] = pulumiHomeDirectory;
      const own = place(pluginPath(join(directory, '.pulumi'), plugin, name), '');
      assert.equal(await findSuitable(name, { plugin, seconds: 0 }), own);
    });
  }
});
