import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { productProblems } from '../../../toolchain/ensure.ts';
import type { Planned } from '../../../toolchain/plan.ts';

describe('what was made', () => {
  let draft: string;
  beforeEach(() => (draft = mkdtempSync(join(tmpdir(), 'draft-'))));
  afterEach(() => rmSync(draft, { recursive: true }));

  const plan: Planned = {
    name: 'runc',
    version: 'from Debian',
    program: { seconds: 1 },
    directory: '/cache/runc-1',
    product: '/cache/runc-1/usr/sbin/runc',
  };

  it('has the program, or is refused before anything leads to it', () => {
    assert.deepEqual(productProblems(plan, draft), [
      { object: 'runc from Debian', path: 'usr/sbin/runc', message: 'is not in what was fetched or built' },
    ]);
    mkdirSync(join(draft, 'usr/sbin'), { recursive: true });
    writeFileSync(join(draft, 'usr/sbin/runc'), '');
    assert.deepEqual(productProblems(plan, draft), []);
  });
});
