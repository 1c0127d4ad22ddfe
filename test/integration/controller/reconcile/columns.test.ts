import assert from 'node:assert/strict';
import { run } from '../../../../packages/lib/command.ts';
import type { ControlPlane } from '../../../support/kubernetes/control-plane.ts';
import { eventually } from '../../../support/machine/eventually.ts';
import { TestOperator } from '../../../support/operator/operator.ts';
import { newStack, STACKS } from '../../../support/operator/stack-api.ts';
import { startPlane } from '../../../support/operator/stack-plane.ts';

describe('what kubectl shows of stacks', function () {
  this.timeout(90_000);
  let plane: ControlPlane;
  let operator: TestOperator;

  before(async () => {
    plane = await startPlane();
    operator = await TestOperator.start(plane.connection, { version: '1.4.2' });
  });
  after(async () => {
    await operator.stop();
    await plane.stop();
  });

  /** Cells of a stack by their headings; a cell without a value is empty. */
  async function columns(name: string): Promise<Record<string, string>> {
    const args = ['get', 'istack', name, '-n', 'team-a', '-L', 'operatorVersion', '-o', 'wide'];
    const stdout = await run('kubectl', [`--kubeconfig=${await plane.kubeconfig()}`, ...args]);
    const [headings = '', cells = ''] = stdout.split('\n');
    const starts = [...headings.matchAll(/\S+/g)].map(({ 0: heading, index }) => ({ heading, index }));
    return Object.fromEntries(
      starts.map(({ heading, index }, column) => [heading, cells.slice(index, starts[column + 1]?.index).trim()]),
    );
  }

  it('is the operator that serves a stack beside the one that it asks for', async () => {
    await plane.client.create(STACKS, newStack('team-a', 'served', { applications: { llm: {} } }, '1.2'));
    await eventually(async () => {
      const { AGE, ...rest } = await columns('served');
      assert.ok(AGE !== '');
      assert.deepEqual(rest, {
        NAME: 'served',
        OPERATOR: '1.4.2',
        APPLICATIONS: '0/1',
        READY: 'False',
        GPUS: '0',
        MESSAGE: 'gateway, llm: The pods are about to be made.',
        OPERATORVERSION: '1.2',
      });
    });
  });

  it('is no operator where none serves the stack: not yet, no longer, or none that is new enough', async () => {
    await plane.client.create(STACKS, newStack('team-a', 'foreign', {}, 'v7'));
    await plane.client.create(STACKS, newStack('team-a', 'ahead', {}, '1.9'));
    await plane.client.mergePatch(
      STACKS,
      { namespace: 'team-a', name: 'served' },
      { metadata: { labels: { operatorVersion: 'v7' } } },
    );
    await eventually(async () => {
      assert.equal((await columns('served'))['OPERATOR'], '');
      assert.equal((await columns('ahead'))['READY'], 'False');
    });
    assert.equal((await columns('ahead'))['OPERATOR'], '');
    assert.equal((await columns('foreign'))['OPERATOR'], '');
  });
});
