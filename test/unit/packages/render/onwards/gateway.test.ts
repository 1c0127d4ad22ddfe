import assert from 'node:assert/strict';
import type { Application, Gateway } from '../../../../../packages/api/types.ts';
import type { OpenObject } from '../../../../../packages/lib/json.ts';
import { formatProblem } from '../../../../../packages/lib/problem.ts';
import { render } from '../../../../../packages/render/render.ts';
import { ONWARDS_REVISIONS } from '../../../../../packages/render/onwards/table.ts';
import { at, contextWith, objectsOf, podOf, stackWith } from '../../../../support/people/stacks.ts';

const CHAT: Application = { engine: 'vllm', model: { name: 'org/model' } };
const withGateway = (gateway: Gateway, chat = CHAT): ReturnType<typeof objectsOf> =>
  objectsOf({ gateway, applications: { chat } });
const pod = (gateway: Gateway): OpenObject => podOf({ gateway, applications: { chat: CHAT } }, 'gateway');
const argument = (gateway: Gateway, flag: string): string | undefined => {
  const args = at(pod(gateway), 'containers.0.args') as string[];
  return args[args.indexOf(flag) + 1];
};

describe('the gateway Onwards', () => {
  it('keeps the Service’s name and port', () => {
    const takeoff = objectsOf({ applications: { chat: {} } })['Service/gateway'];
    const service = withGateway({})['Service/gateway'];
    assert.deepEqual(service?.metadata, takeoff?.metadata);
    assert.equal(at(service, 'spec.ports.0.port'), 80);
    assert.deepEqual(at(service, 'spec.selector'), at(takeoff, 'spec.selector'));
  });

  it('is not restarted by a change of the table', () => {
    const one = withGateway({});
    const other = withGateway({}, { ...CHAT, aliases: ['another'], weight: 7 });
    assert.notDeepEqual(one['ConfigMap/gateway'], other['ConfigMap/gateway']);
    assert.deepEqual(one['Deployment/gateway'], other['Deployment/gateway']);
  });

  it('goes on serving for a while after it was told to stop, and ends within its grace period', () => {
    for (const gateway of [
      {},
      { terminationGracePeriodSeconds: 600, drain: { seconds: 30 } },
      { terminationGracePeriodSeconds: 12 },
    ]) {
      const { terminationGracePeriodSeconds: grace = 60 } = gateway;
      const [delay, timeout] = ['--shutdown-delay-secs', '--shutdown-timeout-secs'].map((flag) =>
        Number(argument(gateway, flag)),
      );
      assert.ok((delay ?? 0) + (timeout ?? 0) < grace, `${String(delay)} ${String(timeout)} ${String(grace)}`);
      assert.ok((delay ?? 0) > 0 && (timeout ?? 0) > 0);
      // It does so by itself, so that the kubelet need not wait.
      assert.equal(at(pod(gateway), 'containers.0.lifecycle'), undefined);
    }
    assert.equal(argument({ terminationGracePeriodSeconds: 0 }, '--shutdown-timeout-secs'), '1');
  });

  it('keeps the revision of its table, unless its author names one or asks for the newest', () => {
    const kept = (gateway: Gateway): unknown => {
      const context = contextWith({ defaults: { ...contextWith().defaults, revisions: { onwards: 1 } } });
      return render(stackWith({ gateway, applications: { chat: CHAT } }), context).defaults.revisions?.['onwards'];
    };
    assert.equal(kept({}), 1);
    const stack = stackWith({ gateway: { revision: 'operator' }, applications: { chat: CHAT } });
    assert.equal(render(stack, contextWith()).defaults.revisions?.['onwards'], undefined);
  });

  it('replaces a pod before it leaves', () => {
    assert.deepEqual(at(withGateway({})['Deployment/gateway'], 'spec.strategy.rollingUpdate'), {
      maxSurge: 1,
      maxUnavailable: 0,
    });
  });

  it('runs the user’s image, its shell and all', () => {
    const [{ image }] = ONWARDS_REVISIONS;
    const images = (gateway: Gateway): unknown =>
      ['containers.0.image', 'initContainers.0.image'].map((path) => at(pod(gateway), path));
    const own = `${image.repository}:${image.tag}`;
    assert.deepEqual(images({}), [own, own]);
    assert.deepEqual(images({ image: { tag: '' } }), [own, own]);
    const mirrored = `mirror.example/onwards:${image.tag}`;
    assert.deepEqual(images({ image: { repository: 'mirror.example/onwards' } }), [mirrored, mirrored]);
    const { gatewayImage } = render(stackWith({ applications: { chat: CHAT } }), contextWith());
    assert.equal(gatewayImage, own);
  });

  it('has the user’s values over its own', () => {
    const readinessProbe = { tcpSocket: { port: 3000 } };
    const own = pod({
      readinessProbe,
      env: [{ name: 'RUST_LOG', value: 'warn' }],
      resources: { limits: { memory: '2Gi' } },
    });
    assert.deepEqual(at(own, 'containers.0.readinessProbe'), readinessProbe);
    assert.deepEqual(at(own, 'containers.0.env.0'), { name: 'RUST_LOG', value: 'warn' });
    assert.equal(at(own, 'containers.0.resources.limits.memory'), '2Gi');
    assert.equal(at(withGateway({ replicaCount: 3 })['Deployment/gateway'], 'spec.replicas'), 3);
  });

  it('can be run where a quota counts limits of processors: nothing in a stack sets that of the container beside it', () => {
    const own = pod({ resources: { limits: { cpu: '2' } } });
    const containers = [...(own['initContainers'] as OpenObject[]), ...(own['containers'] as OpenObject[])];
    assert.equal(containers.length, 2);
    for (const container of containers) assert.notEqual(at(container, 'resources.limits.cpu'), undefined);
  });

  it('has the user’s initContainers after the one that carries the table, and the user’s volumes', () => {
    const initContainers = [{ name: 'wait', image: 'x:1' }];
    const volumes = [{ name: 'certificates', secret: { secretName: 'ca' } }];
    const own = pod({ initContainers, volumes });
    assert.deepEqual(
      (own['initContainers'] as OpenObject[]).map(({ name }) => name),
      ['routes', 'wait'],
    );
    assert.deepEqual(
      (own['volumes'] as OpenObject[]).map(({ name }) => name),
      ['table', 'routes', 'certificates'],
    );
  });

  it('is told of by notices where the user declares a port that it does not open', () => {
    const ports = [
      { name: 'http', containerPort: 8080 },
      { name: 'metrics', containerPort: 9090 },
    ];
    const { notices } = render(
      stackWith({ gateway: { ports }, applications: { chat: { ...CHAT, gpu: {} } } }),
      contextWith(),
    );
    assert.deepEqual(notices.map(formatProblem), [
      'spec.gateway.ports[0].containerPort: is not opened by Onwards, which has 3000 and 9090 (got 8080)',
    ]);
  });
});
