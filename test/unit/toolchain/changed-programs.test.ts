import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ownSource } from '../../../toolchain/changes.ts';
import { modulesDirectory, programsFile } from '../../../toolchain/places.ts';
import { readProgramsFile } from '../../../toolchain/programs-file.ts';

describe('docs/reference/changed-programs.md', () => {
  it('leaves no file of our own out', () => {
    const { modules } = readProgramsFile(programsFile);
    const declared = Object.entries(modules).flatMap(([name, { changes = [] }]) =>
      changes.flatMap(({ add = [] }) => add.map((file) => join(ownSource(join(modulesDirectory, name)), file))),
    );
    const files = readdirSync(modulesDirectory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !['go.mod', 'go.sum', 'SHA256SUMS'].includes(entry.name))
      .map(({ parentPath, name }) => join(parentPath, name));
    assert.deepEqual(files.sort(), declared.sort());
  });
});
