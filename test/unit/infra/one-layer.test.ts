import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import { checkout } from '../../../packages/lib/checkout.ts';

/** Resources are made by a class that is called with a name. */
const REGISTERS = /\bnew (?:[a-z0-9]+\.)*(?!\w*Error\b)[A-Z]\w*\(\s*'/;

describe('resources of the program', () => {
  it('are registered in one layer, after everything has been decided', async () => {
    const registering: string[] = [];
    for await (const file of glob('infra/**/*.ts', { cwd: checkout })) {
      if (REGISTERS.test(readFileSync(join(checkout, file), 'utf8'))) registering.push(file);
    }
    assert.deepEqual(registering.sort(), [
      'infra/fleet/deploy-operators.ts',
      'infra/images/demo-image.ts',
      'infra/program.ts',
    ]);
  });
});
