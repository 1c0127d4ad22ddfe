import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CHANGED_PROGRAMS_PAGE, formattedPage } from '../../../../cluster/tools/changed-programs.ts';
import { ownSource } from '../../../../cluster/tools/changes.ts';
import { modulesDirectory, programsFile } from '../../../../cluster/tools/places.ts';
import { readProgramsFile } from '../../../../cluster/tools/programs-file.ts';

describe('docs/reference/changed-programs.md', () => {
  it('is current', async () => {
    assert.equal(await readFile(CHANGED_PROGRAMS_PAGE, 'utf8'), await formattedPage(), 'run `make generate`');
  });

  it('leaves no file of our own out', () => {
    const { modules } = readProgramsFile(programsFile);
    const declared = Object.entries(modules).flatMap(([name, { changes = [] }]) =>
      changes.flatMap(({ add = [] }) => add.map((file) => join(ownSource(join(modulesDirectory, name)), file))),
    );
    const files = readdirSync(modulesDirectory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !['go.mod', 'go.sum'].includes(entry.name))
      .map(({ parentPath, name }) => join(parentPath, name));
    assert.deepEqual(files.sort(), declared.sort());
  });
});
