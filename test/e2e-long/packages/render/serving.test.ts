import assert from 'node:assert/strict';
import type { Application } from '../../../../packages/api/types.ts';
import { eventually } from '../../../support/machine/eventually.ts';
import { TestFleet } from '../../../support/embedded/fleet.ts';
import { Load } from '../../../support/embedded/load.ts';
import { Models } from '../../../support/embedded/models.ts';
import { cluster } from '../../../support/embedded/shared-cluster.ts';

const MINUTES = 60_000;
const NAMESPACE = 'default';
const SLOW_SECONDS = 120;

/** Speaks the OpenAI API, loads for a while, and finishes what is under way when it is told to stop. */
const ENGINE = `
const { createServer } = require('node:http');
const answer = (body) => JSON.stringify({ object: 'chat.completion', model: process.env.NAME, choices: [{ message: { content: 'Hello' } }] });
const server = createServer((request, response) => {
  if (request.method === 'GET') return response.end(JSON.stringify({ data: [] }));
  request.resume().on('end', () => setTimeout(() => response.end(answer()), 50));
});
setTimeout(() => server.listen(8000), Number(process.env.LOADING ?? 0) * 1000);
process.on('SIGTERM', () => server.close(() => process.exit(0)));
`;

/** What people do to a stack while others use it. The tests tell one story and build on each other. */
describe('a stack of open engines under load', function () {
  this.timeout(15 * MINUTES);
  const fleet = new TestFleet(cluster);
  const models = new Models(cluster);
  let url = '';

  function engine(name: string, more: Partial<Application> & { readonly loading?: number } = {}): Application {
    const { loading = 0, ...rest } = more;
    return {
      engine: 'openai',
      image: models.image('node'),
      command: ['/usr/bin/node', '-e', ENGINE],
      env: [
        { name: 'NAME', value: name },
        { name: 'LOADING', value: String(loading) },
      ],
      aliases: ['model'],
      resources: { requests: { cpu: '20m', memory: '64Mi' }, limits: { memory: '256Mi' } },
      ...rest,
    };
  }

  before(async () => {
    await fleet.make(['up']);
    const applications = { one: engine('one', { replicaCount: 2 }) };
    await models.apply(models.stack('load', NAMESPACE, { gateway: { replicaCount: 2 }, applications }));
    await models.ready('load', NAMESPACE);
    url = await models.url('load', NAMESPACE);
    await eventually(() => models.ask(url, 'model', 'Hi'), MINUTES, 200);
  });

  after(async () => {
    await cluster.kubectl(['delete', 'istack', '-n', NAMESPACE, 'load', 'slow', '--ignore-not-found']);
    await fleet.make(['down']);
    fleet.remove();
  });

  /** Asks twenty times a second while something is done; every request is answered. */
  async function undisturbed(work: () => Promise<void>): Promise<ReadonlyMap<string, number>> {
    const load = new Load(url, 'model', 20);
    await work();
    const { asked, failures, answers } = await load.end();
    assert.deepEqual(failures, []);
    assert.ok(asked > 100, `${asked} requests`);
    return answers;
  }

  it('answers every request while its pods are replaced', async () => {
    await undisturbed(async () => {
      const applications = { one: engine('one', { replicaCount: 2, podAnnotations: { change: '1' } }) };
      await models.apply(models.stack('load', NAMESPACE, { gateway: { replicaCount: 2 }, applications }));
      await settled('load-inference-stack-one');
    });
  });

  it('answers every request while a pod of the gateway is deleted', async () => {
    await undisturbed(async () => {
      const selector = 'app.kubernetes.io/instance=load,app.kubernetes.io/component=gateway';
      const [pod = ''] = (await cluster.kubectl(['get', 'pods', '-l', selector, '-o', 'name'])).split('\n');
      await cluster.kubectl(['delete', pod, '--wait=true']);
      await settled('load-inference-stack-gateway');
    });
  });

  it('answers every request while its table of routes changes', async () => {
    const pods = await fleet.pods();
    const answers = await undisturbed(async () => {
      for (const weight of [0, 100, 50]) {
        const applications = {
          one: engine('one', { replicaCount: 2, podAnnotations: { change: '1' }, weight: 100 - weight }),
          two: engine('two', { weight }),
        };
        await models.apply(models.stack('load', NAMESPACE, { gateway: { replicaCount: 2 }, applications }));
        await models.ready('load', NAMESPACE);
        const expected = weight === 0 ? 'one' : 'two';
        await eventually(
          async () => assert.equal((await models.ask(url, 'model', 'Hi')).by, expected),
          3 * MINUTES,
          500,
        );
      }
    });
    assert.deepEqual([...answers.keys()].sort(), ['one', 'two']);
    const after = await fleet.pods();
    for (const pod of pods.trim().split('\n')) assert.ok(after.includes(pod), `${pod} is gone`);
  });

  it('says that a slow engine is loading, and restarts it not once', async () => {
    const applications = { slow: engine('slow', { loading: SLOW_SECONDS }) };
    await models.apply(models.stack('slow', NAMESPACE, { applications }));
    await eventually(
      async () => {
        const { applications: found = {}, conditions = [] } = await models.status('slow', NAMESPACE);
        assert.equal(found['slow']?.phase, 'Progressing');
        assert.match(found['slow'].message ?? '', /loading/);
        assert.equal(conditions.find(({ type }) => type === 'Stalled')?.status, 'False');
      },
      MINUTES,
      500,
    );
    await models.ready('slow', NAMESPACE, 2 * SLOW_SECONDS);
    const selector = ['-l', 'app.kubernetes.io/instance=slow,app.kubernetes.io/component=application-slow'];
    const path = 'jsonpath={.items[*].status.containerStatuses[*].restartCount}';
    assert.equal(await cluster.kubectl(['get', 'pods', '-n', NAMESPACE, ...selector, '-o', path]), '0');
  });

  async function settled(deployment: string): Promise<void> {
    await cluster.kubectl(['rollout', 'status', '-n', NAMESPACE, `deployment/${deployment}`, '--timeout=180s']);
  }
});
