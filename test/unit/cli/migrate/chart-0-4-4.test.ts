import assert from 'node:assert/strict';
import { convertChart044 } from '../../../../cli/migrate/chart-0-4-4.ts';
import type { Application } from '../../../../packages/api/types.ts';
import type { OpenObject } from '../../../../packages/lib/json.ts';
import { formatProblem } from '../../../../packages/lib/problem.ts';

const SERVER = { enabled: true, image: { repository: 'r', tag: 'v1', pullPolicy: 'IfNotPresent' }, modelAlias: ['a'] };

function convert(groups: Record<string, OpenObject>, rest: OpenObject = {}) {
  const { spec, notices } = convertChart044({ modelGroups: groups, ...rest }, 'chat');
  return { spec, applications: spec.applications ?? {}, notices: notices.map(formatProblem) };
}

function applicationOf(group: OpenObject): Application {
  return convert({ llm: { ...SERVER, ...group } }).applications['llm'] ?? {};
}

function notesOf(group: OpenObject, path: string): string[] {
  return convert({ llm: { ...SERVER, ...group } }).notices.filter((notice) =>
    notice.startsWith(`modelGroups.llm.${path}:`),
  );
}

describe('a model group of chart 0.4.4', () => {
  it('is left out if it is not enabled, and that is said', () => {
    const { applications, notices } = convert({
      on: SERVER,
      off: { ...SERVER, enabled: false },
      unsaid: { image: {} },
    });
    assert.deepEqual(Object.keys(applications), ['on']);
    for (const name of ['off', 'unsaid']) {
      assert.ok(
        notices.includes(
          `modelGroups.${name}.enabled: is not true, so the group is left out. Enable it to convert it.`,
        ),
      );
    }
    assert.ok(convert({}).notices.some((notice) => notice.startsWith('modelGroups: has no group that is enabled')));
  });

  it('that the chart has itself gets what the chart says of it', () => {
    const { applications } = convert({ 'sglang-qwen': { enabled: true, env: null, containerPort: 9999 } });
    const { image, model, port, command, env } = applications['sglang-qwen'] ?? {};
    assert.deepEqual(image, { repository: 'lmsysorg/sglang', tag: 'latest', pullPolicy: 'IfNotPresent' });
    assert.deepEqual(
      [model, port, command?.slice(0, 3)],
      [{ name: 'Qwen/Qwen2.5-7B-Instruct' }, 9999, ['python', '-m', 'sglang.launch_server']],
    );
    assert.deepEqual(
      env?.map(({ name }) => name),
      ['HOME', 'HF_HOME'],
    );
  });

  it('is the tag latest without one, which Kubernetes pulls each time', () => {
    const image = (given: OpenObject): unknown => applicationOf({ image: { repository: 'r', ...given } }).image;
    assert.deepEqual(image({}), { repository: 'r', tag: 'latest', pullPolicy: 'Always' });
    assert.deepEqual(image({ tag: '' }), { repository: 'r', tag: 'latest', pullPolicy: 'Always' });
    assert.deepEqual(image({ tag: 'v1' }), { repository: 'r', tag: 'v1', pullPolicy: 'IfNotPresent' });
  });

  it('has no probe that is not enabled, not even the engine’s own', () => {
    const { startupProbe, livenessProbe, readinessProbe } = applicationOf({
      startupProbe: { enabled: true, type: 'tcp', periodSeconds: '10' },
      livenessProbe: { enabled: false, type: 'http', path: '/health' },
    });
    assert.deepEqual(
      [startupProbe, livenessProbe, readinessProbe],
      [{ tcpSocket: { port: 'http' }, periodSeconds: 10 }, {}, {}],
    );
  });

  it('is replaced in the nearest way, and it is said where that is another one', () => {
    const rollout = (maxSurge: unknown, maxUnavailable: unknown): unknown[] => {
      const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } };
      return [applicationOf({ strategy }).rollout, notesOf({ strategy }, 'strategy.rollingUpdate').length];
    };
    assert.deepEqual(rollout(1, 0), ['surge', 0]);
    assert.deepEqual(rollout(0, 1), ['inPlace', 0]);
    assert.deepEqual(rollout('25%', '25%'), ['surge', 1]);
    assert.deepEqual(rollout('0%', '50%'), ['inPlace', 1]);
    assert.equal(applicationOf({ strategy: { type: 'Recreate' } }).rollout, 'recreate');
    assert.equal(applicationOf({}).rollout, undefined);
  });

  it('keeps the claims of its persistent volumes, which the operator does not make', () => {
    const group = { persistentVolumes: [{ name: 'cache', size: '9Gi', mountPath: '/weights', subPath: 'a' }] };
    const { volumes, volumeMounts } = applicationOf(group);
    assert.deepEqual(volumes, [
      { name: 'cache', persistentVolumeClaim: { claimName: 'chat-inference-stack-llm-cache' } },
    ]);
    assert.deepEqual(volumeMounts, [{ name: 'cache', mountPath: '/weights', subPath: 'a' }]);
    assert.match(
      notesOf(group, 'persistentVolumes[0]')[0] ?? '',
      /is mounted from the claim chat-inference-stack-llm-cache, which the operator does not make/,
    );
  });

  it('says what an application cannot, and what will surprise', () => {
    const expected: Readonly<Record<string, readonly [group: OpenObject, message: RegExp]>> = {
      apiKey: [{ apiKey: 'k' }, /: cannot be converted: the gateway sends engines no key\. Remove the key/],
      'service.type': [{ service: { type: 'NodePort' } }, /: cannot be converted: .* ClusterIP .*\(got "NodePort"\)/],
      additionalPorts: [{ additionalPorts: [{ name: 'm', containerPort: 1 }] }, /: are ports of the pods only \(m\): /],
      serviceAccount: [
        { serviceAccount: { create: true } },
        /: cannot be converted: all pods of a stack have the same/,
      ],
      command: [{ command: ['--host', 'x'] }, /: begins with a flag, .* \(got "--host"\)/],
      volumes: [
        { volumeMounts: [{ name: 'gone', mountPath: '/x' }] },
        /: has no gone, which the group's containers mount/,
      ],
      'resources.limits.memory': [{}, /: is not set, so the operator sets 64Gi/],
      podSecurityContext: [{}, /: names no user, so the operator's 10001 takes the place/],
      extra: [{ extra: 1 }, /: is not a value of the chart, which ignores it\. Known fields are /],
    };
    const quiet = {
      command: ['serve'],
      service: { type: 'ClusterIP', port: 8000 },
      serviceAccount: { create: false },
      apiKey: '',
      resources: { limits: { memory: '1Gi' } },
      podSecurityContext: { runAsUser: 1000 },
    };
    for (const [path, [group, message]] of Object.entries(expected)) {
      assert.match(notesOf(group, path).join('\n'), message);
      assert.deepEqual(notesOf(quiet, path), []);
    }
  });

  it('points out the engine that would need less said', () => {
    const image = { repository: 'mirror.example.com/vllm/vllm-openai' };
    assert.match(notesOf({ image }, 'command')[0] ?? '', /engine: vllm would need no command/);
    assert.equal(applicationOf({ image }).engine, 'openai');
  });
});

describe('the security contexts of a model group', () => {
  const contexts = (group: OpenObject): unknown[] => {
    const { podSecurityContext, securityContext } = applicationOf(group);
    return [podSecurityContext, securityContext];
  };
  const ROOT = { runAsUser: 0, runAsGroup: 0 };
  const RIGHTS = { readOnlyRootFilesystem: false, allowPrivilegeEscalation: true, capabilities: { drop: [] } };

  it('let it go on as root if that is what it was', () => {
    assert.deepEqual(contexts({ podSecurityContext: { runAsUser: 0 } }), [ROOT, RIGHTS]);
    assert.deepEqual(contexts({ securityContext: { runAsUser: 0 } }), [ROOT, { ...RIGHTS, runAsUser: 0 }]);
    assert.deepEqual(contexts({ image: { repository: 'vllm/vllm-openai' } }), [ROOT, RIGHTS]);
    assert.deepEqual(contexts({ volumeMounts: [{ name: 'a', mountPath: '/root/.cache' }] }), [ROOT, RIGHTS]);
  });

  it('keep what the group says', () => {
    const securityContext = { capabilities: { add: ['SYS_ADMIN'] }, readOnlyRootFilesystem: true };
    assert.deepEqual(contexts({ podSecurityContext: { runAsUser: 0, runAsGroup: 5 }, securityContext }), [
      { ...ROOT, runAsGroup: 5 },
      { readOnlyRootFilesystem: true, allowPrivilegeEscalation: true, capabilities: { drop: [], add: ['SYS_ADMIN'] } },
    ]);
    assert.deepEqual(contexts({ podSecurityContext: { runAsNonRoot: true }, image: { repository: 'sglang' } }), [
      { runAsNonRoot: true },
      { readOnlyRootFilesystem: false },
    ]);
  });

  it('leave the rest to the operator where nobody knows the user', () => {
    assert.deepEqual(contexts({}), [undefined, { readOnlyRootFilesystem: false }]);
  });
});

describe('the home of a model group', () => {
  const env = (group: OpenObject): unknown => applicationOf(group).env;
  const variables = (home: string, caches = `${home}/.cache`): unknown => [
    { name: 'HOME', value: home },
    { name: 'HF_HOME', value: `${caches}/huggingface` },
  ];

  it('is root’s for root, so that models are found where they were', () => {
    assert.deepEqual(env({ podSecurityContext: { runAsUser: 0 } }), variables('/root'));
  });

  it('is where a cache is mounted', () => {
    const persistentVolumes = [{ name: 'c', mountPath: '/home/app/.cache/huggingface' }];
    assert.deepEqual(env({ persistentVolumes, podSecurityContext: { runAsUser: 1000 } }), variables('/home/app'));
  });

  it('is what the group’s variables say', () => {
    const home = { name: 'HOME', value: '/h' };
    assert.deepEqual(env({ env: [home] }), [home, { name: 'HF_HOME', value: '/h/.cache/huggingface' }]);
    const own = [home, { name: 'HF_HOME', value: '/models' }];
    assert.deepEqual(env({ env: own }), own);
  });

  it('is the operator’s otherwise', () => assert.equal(env({}), undefined));
});

describe('an alias of several model groups', () => {
  it('stays with the last one by name, which the chart sends all requests to', () => {
    const { applications, notices } = convert({
      b: { ...SERVER, modelAlias: ['x', 'y'] },
      a: { ...SERVER, modelAlias: ['x'] },
    });
    assert.deepEqual([applications['a']?.aliases, applications['a']?.weight], [undefined, 0]);
    assert.deepEqual([applications['b']?.aliases, applications['b']?.weight], [['x', 'y'], undefined]);
    assert.deepEqual(
      notices.filter((notice) => notice.startsWith('modelGroups.a.modelAlias')),
      [
        'modelGroups.a.modelAlias: is an alias of b too, to which the chart sends all its requests: it is left out (got "x"). ' +
          'Add it to aliases to let both share its requests by weight.',
        'modelGroups.a.modelAlias: has no alias of its own, so no request reached the group: the application has weight 0. ' +
          'Give it aliases and remove weight to let clients ask for it.',
      ],
    );
  });
});
