import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEnvironmentFile } from '../../../../cli/environment/environment-file.ts';
import { parseLock } from '../../../../components/catalog/lock.ts';
import { readYaml } from '../../../../packages/lib/read-yaml.ts';
import { parseWatches } from '../../../../controller/src/reconcile/watches.ts';
import { loadConnection } from '../../../../packages/kube/connect/kubeconfig.ts';

const BROKEN = 'token: hunter2\n  name: [\n';
const PLACE =
  'is not valid YAML: line 2, column 7: bad indentation of a mapping entry. Check the indentation and the quotes there, and a line above.';

describe('a file that is not valid YAML', () => {
  it('is named with the place, and nothing of what is in it is shown', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'kubeconfig-'));
    const kubeconfig = join(directory, 'config');
    writeFileSync(kubeconfig, BROKEN);
    const io = { read: () => Promise.resolve(BROKEN), list: () => Promise.resolve([]) };
    try {
      await assert.rejects(loadConnection({ kubeconfig }), { message: `kubeconfig ${kubeconfig}: ${PLACE}` });
      await assert.rejects(openEnvironmentFile(io, '', { environment: 'dev' }), {
        message: `Pulumi.dev.yaml: ${PLACE}`,
      });
      assert.throws(() => parseWatches(BROKEN, 'watches.yaml'), { message: `watches.yaml: ${PLACE}` });
      assert.throws(() => parseLock(BROKEN, 'catalog.lock.yaml'), { message: `catalog.lock.yaml: ${PLACE}` });
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  it('is named also where the mistake has no place', () => {
    assert.throws(() => readYaml('a: 1\n---\nb: 2\n', 'a.yaml'), {
      message:
        'a.yaml: is not valid YAML: expected a single document in the stream, but found more. Leave one document in it: --- begins another.',
    });
  });
});
