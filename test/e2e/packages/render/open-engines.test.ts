import assert from 'node:assert/strict';
import { eventually } from '../../../support/machine/eventually.ts';
import { TestFleet } from '../../../support/embedded/fleet.ts';
import { Models } from '../../../support/embedded/models.ts';
import { cluster } from '../../../support/embedded/shared-cluster.ts';

const MINUTES = 60_000;
const NAMESPACE = 'restricted';

/** The rules of the restricted Pod Security Standard are enforced in this namespace. */
const RESTRICTED = {
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: NAMESPACE, labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } },
};

/** As OpenShift gives one to each namespace. */
const ANY_USER = { runAsUser: 1_000_650_000, runAsGroup: 0 };

const QUESTION = 'What is the capital of France? Answer in one sentence.';

/** A real model behind the real gateway. The tests tell one story and build on each other. */
describe('an open engine in the cluster', function () {
  this.timeout(10 * MINUTES);
  const fleet = new TestFleet(cluster);
  const models = new Models(cluster);
  let url = '';

  before(async () => {
    await fleet.make(['up']);
    await cluster.kubectl(['apply', '-f', '-'], JSON.stringify(RESTRICTED));
  });

  after(async () => {
    await cluster.kubectl(['delete', 'namespace', NAMESPACE]);
    await fleet.make(['down']);
    fleet.remove();
  });

  it('answers under the restricted Pod Security Standard, as any user', async () => {
    await models.apply(
      models.stack('chat', NAMESPACE, {
        gateway: { podSecurityContext: ANY_USER },
        applications: { smollm2: models.llama({ podSecurityContext: ANY_USER }) },
      }),
    );
    await models.ready('chat', NAMESPACE);
    url = await models.url('chat', NAMESPACE);
    const { words } = await eventually(() => models.ask(url, 'smollm2', QUESTION), MINUTES, 200);
    assert.match(words, /Paris/);
  });

  it('is not among the findings of an audit by the levels of dev', async () => {
    const args = ['audit', 'ENV=dev', 'ARGS=-o json'];
    const report = await fleet.make(args).catch((error: unknown) => String(error));
    assert.doesNotMatch(report, new RegExp(`InferenceStack ${NAMESPACE}/chat|InferenceStack default/chat`));
    assert.match(report, /"findings"/);
  });

  it('is listed by the gateway, and streams', async () => {
    const listed = await (await fetch(`${url}/v1/models`)).text();
    assert.match(listed, /"id":"smollm2"/);
    const body = JSON.stringify({ model: 'smollm2', stream: true, messages: [{ role: 'user', content: QUESTION }] });
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body });
    const events = (await response.text()).split('\n\n').filter((event) => event.startsWith('data: '));
    assert.ok(events.length > 5, events.join('\n'));
    assert.equal(events.at(-1), 'data: [DONE]');
  });

  it('shares an alias with another by the weights of the spec, and no pod restarts when they change', async () => {
    const shared = (weight: number): ReturnType<typeof models.llama> =>
      models.llama({ aliases: ['model'], weight, podSecurityContext: ANY_USER });
    const spec = (stable: number, canary: number): ReturnType<typeof models.stack> =>
      models.stack('chat', NAMESPACE, {
        gateway: { podSecurityContext: ANY_USER },
        applications: { smollm2: shared(stable), canary: shared(canary) },
      });
    await models.apply(spec(100, 0));
    await eventually(async () => assert.equal((await models.ask(url, 'model', 'Hi')).by, 'smollm2'), 2 * MINUTES, 500);
    await models.ready('chat', NAMESPACE);
    const before = await pods();
    await models.apply(spec(0, 100));
    await eventually(async () => assert.equal((await models.ask(url, 'model', 'Hi')).by, 'canary'), 2 * MINUTES, 500);
    // A second change: what carries it must still be at work.
    await models.apply(spec(100, 0));
    await eventually(async () => assert.equal((await models.ask(url, 'model', 'Hi')).by, 'smollm2'), 2 * MINUTES, 500);
    assert.equal(await pods(), before);
  });

  async function pods(): Promise<string> {
    const columns = 'jsonpath={range .items[*]}{.metadata.uid} {.status.containerStatuses[*].restartCount}{"\\n"}{end}';
    return cluster.kubectl(['get', 'pods', '-n', NAMESPACE, '--sort-by=.metadata.name', '-o', columns]);
  }
});
