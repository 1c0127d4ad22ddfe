import assert from 'node:assert/strict';
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { controllerProblems } from '../../../../infra/images/packed-controller.ts';
import { checkout } from '../../../../packages/lib/checkout.ts';
import { run } from '../../../../packages/lib/command.ts';
import { formatProblem } from '../../../../packages/lib/problem.ts';

describe('the packed controller', function () {
  this.timeout(60_000);

  it('goes into an image only if it is of the sources that the image is labelled with', async () => {
    const copy = await mkdtemp(join(tmpdir(), 'packed-controller-'));
    try {
      for (const path of ['controller', 'packages', 'package.json', 'package-lock.json', 'tsconfig.json']) {
        await cp(join(checkout, path), join(copy, path), {
          recursive: true,
          filter: (source) => !/\/(dist|node_modules)$/.test(source),
        });
      }
      const told = (): string[] => controllerProblems(copy).map((problem) => formatProblem(problem));
      assert.match(
        told().join(),
        /controller\/dist\/controller\.cjs: is missing, or .* `npm run build --workspace controller`/,
      );
      await symlink(join(checkout, 'node_modules'), join(copy, 'node_modules'));
      await run(process.execPath, ['build/bundle.ts'], { cwd: join(copy, 'controller') });
      assert.deepEqual(told(), []);
      await writeFile(join(copy, 'packages/lib/pause.ts'), '// changed\n', { flag: 'a' });
      assert.equal(told().length, 1, 'a source of another folder counts as well');
    } finally {
      await rm(copy, { recursive: true });
    }
  });
});
