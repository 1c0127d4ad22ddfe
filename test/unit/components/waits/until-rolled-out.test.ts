import assert from 'node:assert/strict';
import { deploymentTarget } from '../../../../components/waits/target.ts';
import { untilRolledOut } from '../../../../components/waits/until-rolled-out.ts';
import type { Problem } from '../../../../packages/lib/problem.ts';
import {
  CATALOGD,
  FakeCluster,
  node,
  replicaSet,
  rolledOutDeployment,
  rollingDeployment,
  unschedulable,
  waitingPod,
} from '../../../support/olm/waited-for.ts';

const REF = { name: CATALOGD, namespace: 'olmv1-system' };

/** Waits for as long as a test's clock says; each pause takes a second and may change the cluster. */
async function wait(
  cluster: FakeCluster,
  each: (second: number) => void = () => undefined,
): Promise<[Problem | undefined, number]> {
  let second = 0;
  const pause = (): Promise<void> => {
    second += 1;
    each(second);
    return Promise.resolve();
  };
  const patience = { now: () => second * 1000, pause, limitMs: 300_000 };
  return [await untilRolledOut(REF, deploymentTarget(REF), cluster, patience), second];
}

describe('waiting for a Deployment', () => {
  it('ends at once when its newest pods run', async () => {
    assert.deepEqual(await wait(new FakeCluster([rolledOutDeployment()])), [undefined, 0]);
  });

  it('takes one that is not there for one that does not run', async () => {
    const cluster = new FakeCluster();
    const late = await wait(cluster, (second) => {
      if (second === 7) cluster.objects = [rolledOutDeployment()];
    });
    assert.deepEqual(late, [undefined, 7]);
    const [problem, seconds] = await wait(new FakeCluster());
    assert.equal(seconds, 300);
    assert.equal(problem?.object, `Deployment olmv1-system/${CATALOGD}`);
    assert.equal(problem.message, 'does not exist');
  });

  it('does not end while the newest pod is not ready beside an old one', async () => {
    const cluster = new FakeCluster([rollingDeployment()]);
    const outcome = await wait(cluster, (second) => {
      if (second === 7) cluster.objects = [rolledOutDeployment()];
    });
    assert.deepEqual(outcome, [undefined, 7]);
  });

  it('ends with the reason when the time is over', async () => {
    const pod = waitingPod(unschedulable('0/1 nodes are available'), {
      spec: { nodeSelector: { pool: 'none' } } as object,
    });
    const [problem, seconds] = await wait(
      new FakeCluster([rollingDeployment(), replicaSet('new', '2'), pod, node('a')]),
    );
    assert.equal(seconds, 300);
    assert.match(problem?.message ?? '', /1 node lacks the label pool=none$/);
  });

  it('ends with what is known when nothing says why, and when the cluster does not answer', async () => {
    const [silent] = await wait(new FakeCluster([rollingDeployment()]));
    assert.equal(silent?.message, 'its newest pods have not become ready');
    const gone = new FakeCluster();
    gone.listAll = () => Promise.reject(new Error('no answer'));
    const [unanswered, seconds] = await wait(gone);
    assert.equal(unanswered?.object, `Deployment olmv1-system/${CATALOGD}`);
    assert.equal(
      unanswered.message,
      'cannot be checked for ready pods, because the API server does not answer: no answer',
    );
    assert.equal(seconds, 300);
  });
});
