import assert from 'node:assert/strict';
import { untilReady } from '../../../../components/inference-stack/until-ready.ts';
import type { InferenceStack } from '../../../../packages/api/types.ts';
import { ApiError } from '../../../../packages/kube/client/api-error.ts';
import type { KubernetesObject } from '../../../../packages/kube/object.ts';
import { messageOf } from '../../../../packages/lib/error.ts';
import {
  FakeCluster,
  replicaSet,
  rolledOutDeployment,
  rollingDeployment,
  unschedulable,
  waitingPod,
} from '../../../support/olm/waited-for.ts';
import { refusedFor, servedStack, SINCE, stalledBy, waitingFor } from '../../../support/people/served-stack.ts';

/** A cluster with one stack, or the code of what it answers when it is asked for the stack. */
class StackCluster extends FakeCluster {
  answer: InferenceStack | number;

  constructor(answer: InferenceStack | number, objects: readonly KubernetesObject[] = []) {
    super(objects);
    this.answer = answer;
  }

  async get(): Promise<KubernetesObject> {
    const { answer } = this;
    if (typeof answer === 'number') throw new ApiError('GET stack', answer, { reason: 'Any', message: 'no answer' });
    return Promise.resolve({ ...answer } as unknown as KubernetesObject);
  }
}

interface Ended {
  readonly outcome: string;
  readonly seconds: number;
  readonly said: readonly string[];
}

/** As if the stack had been applied a second after it became what it is. */
const START = Date.parse(SINCE) + 1000;

/** Waits for 15 minutes of a test's clock at most; each pause takes a second and may change the cluster. */
async function wait(cluster: StackCluster, each: (second: number) => void = () => undefined): Promise<Ended> {
  let second = 0;
  const said: string[] = [];
  const pause = (): Promise<void> => {
    second += 1;
    each(second);
    return Promise.resolve();
  };
  const options = {
    cluster,
    say: (line: string) => said.push(line),
    now: () => START + second * 1000,
    pause,
    limitMs: 900_000,
  };
  const outcome = await untilReady({ namespace: 'team-a', name: 'chat', uid: 'one' }, options).then(
    () => 'ready',
    messageOf,
  );
  return { outcome, seconds: second, said };
}

/** A stack whose conditions have been so for some seconds before it was applied. */
function stalledFor(seconds: number, conditions: Parameters<typeof servedStack>[0]): InferenceStack {
  const lastTransitionTime = new Date(START - seconds * 1000).toISOString();
  const { status, ...stack } = servedStack(conditions);
  return {
    ...stack,
    status: { ...status, conditions: (status?.conditions ?? []).map((each) => ({ ...each, lastTransitionTime })) },
  };
}

const UNSEEN = servedStack({}, { observedGeneration: 1 });

describe('waiting for a stack', () => {
  it('ends at once when it is ready', async () => {
    assert.deepEqual(await wait(new StackCluster(servedStack())), { outcome: 'ready', seconds: 0, said: [] });
  });

  it('goes on while the status speaks of the spec before, and ends with the newest one', async () => {
    const cluster = new StackCluster(UNSEEN);
    const ended = await wait(cluster, (second) => {
      if (second === 30) cluster.answer = servedStack();
    });
    assert.equal(ended.outcome, 'ready');
    assert.equal(ended.seconds, 30);
  });

  it('fails with the reason of a stack that has been stalled for 20 s', async () => {
    const { outcome, seconds } = await wait(new StackCluster(servedStack(stalledBy('ApplyRefused', 'quota exceeded'))));
    assert.equal(outcome, 'InferenceStack team-a/chat: cannot become ready: ApplyRefused: quota exceeded');
    assert.equal(seconds, 20);
  });

  it('gives what was stalled before the update the time to be tried again', async () => {
    const cluster = new StackCluster(stalledFor(60, stalledBy('ApplyRefused', 'quota exceeded')));
    const failed = await wait(cluster);
    assert.equal(failed.seconds, 360);
    assert.deepEqual(failed.said, ['InferenceStack team-a/chat: ApplyRefused: quota exceeded']);
    const mended = await wait(cluster, (second) => {
      if (second === 300) cluster.answer = servedStack();
    });
    assert.equal(mended.outcome, 'ready');
  });

  it('fails with the reason of what the operator has long refused, since it would have looked again', async () => {
    const { outcome, seconds } = await wait(new StackCluster(stalledFor(60, refusedFor('NameTaken', 'taken'))));
    assert.equal(outcome, 'InferenceStack team-a/chat: cannot become ready: NameTaken: taken');
    assert.equal(seconds, 20);
  });

  it('does not fail for a stack that was stalled for a moment', async () => {
    const cluster = new StackCluster(servedStack(stalledBy('RolloutFailed', 'of the pods before')));
    const { outcome } = await wait(cluster, (second) => {
      if (second === 10) cluster.answer = servedStack(waitingFor('Progressing', 'new pods'));
      if (second === 40) cluster.answer = servedStack();
    });
    assert.equal(outcome, 'ready');
  });

  it('fails after a minute when no operator looks at the stack, and says which one is asked for', async () => {
    const { outcome, seconds } = await wait(new StackCluster(UNSEEN));
    assert.equal(seconds, 60);
    assert.match(
      outcome,
      /: no operator has looked at it, and its label operatorVersion asks for v1\. Install that operator/,
    );
    assert.match(
      outcome,
      /kubectl get deployments --namespace=inference-stack-operator-system inference-stack-operator-v1$/,
    );
  });

  it('waits for an operator that is being started, and not for one that has been', async () => {
    const cluster = new StackCluster(UNSEEN, [rollingDeployment()]);
    const ended = await wait(cluster, (second) => {
      if (second === 100) cluster.objects = [rolledOutDeployment()];
    });
    assert.equal(ended.seconds, 100);
    assert.match(ended.outcome, /no operator has looked at it/);
  });

  it('says why an operator does not start that the stack waits for', async () => {
    const pod = waitingPod(unschedulable('0/1 nodes are available'));
    const { said } = await wait(new StackCluster(UNSEEN, [rollingDeployment(), replicaSet('new', '2'), pod]));
    assert.match(said.join('\n'), /no operator has looked at it.*\n.*cannot be scheduled/);
  });

  it('says once what the stack waits for, and fails with it when the time is over', async () => {
    const cluster = new StackCluster(servedStack(waitingFor('InsufficientGPUs', 'chat needs 2 GPUs.')));
    const { outcome, seconds, said } = await wait(cluster);
    assert.deepEqual(said, ['InferenceStack team-a/chat: InsufficientGPUs: chat needs 2 GPUs.']);
    assert.equal(seconds, 900);
    assert.match(
      outcome,
      /is not ready after 15 minutes: InsufficientGPUs: chat needs 2 GPUs\. Run `up` again to keep waiting/,
    );
  });

  it('fails when another cluster answers, or the stack has been deleted or replaced', async () => {
    const other = servedStack();
    other.metadata.uid = 'two';
    for (const answer of [other, 404]) {
      const { outcome, seconds } = await wait(new StackCluster(answer));
      assert.match(outcome, /^InferenceStack team-a\/chat: was not found in the cluster\. /);
      assert.equal(seconds, 20);
    }
  });

  it('asks again for a minute when the API server does not answer, and then says what it said', async () => {
    const cluster = new StackCluster(503);
    const { outcome } = await wait(cluster, (second) => {
      if (second === 50) cluster.answer = servedStack();
    });
    assert.equal(outcome, 'ready');
    const forbidden = await wait(new StackCluster(403));
    assert.match(forbidden.outcome, /cannot be checked for readiness: .*no answer/);
    assert.equal(forbidden.seconds, 60);
  });
});
