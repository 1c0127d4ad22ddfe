import assert from 'node:assert/strict';
import { OPEN_ENGINES, type OpenEngine } from '../../../../packages/api/engine.ts';
import type { Application, InferenceStackSpec } from '../../../../packages/api/types.ts';
import { hardenedContainer, hardenedPod } from '../../../../packages/render/hardened.ts';
import { workloadsAreHardened } from '../../../../policies/rules/workloads-are-hardened.ts';
import { at, objectsOf, stackWith } from '../../../support/people/stacks.ts';
import { restrictedProblems } from '../../../support/policies/restricted.ts';
import { unknowns, violations } from '../../../support/policies/support.ts';

const OWN_IMAGE = { repository: 'registry.example/own', tag: '1' };

function stackOf(engine: OpenEngine, more: Application = {}): InferenceStackSpec {
  const needs: Application = engine === 'openai' ? { image: OWN_IMAGE } : { model: { name: 'org/model' } };
  return { applications: { chat: { engine, ...needs, ...more } } };
}

const VARIANTS: Record<string, Application> = {
  'nothing more': {},
  'a model in an image': { model: { image: { reference: 'm:1' } } },
  'a cache for models': { modelCache: { size: '1Gi' } },
  'a GPU': { gpu: { count: 2 } },
  'another user, as OpenShift gives one': {
    podSecurityContext: { runAsUser: 1_000_650_000, fsGroup: 1_000_650_000, seccompProfile: { type: 'Localhost' } },
  },
};

describe('pods that are hardened by default', () => {
  for (const engine of OPEN_ENGINES) {
    for (const [what, more] of Object.entries(VARIANTS)) {
      it(`pass our rule and the restricted Pod Security Standard, gateway and all: ${engine} with ${what}`, () => {
        const spec = stackOf(engine, more);
        const deployments = Object.values(objectsOf(spec)).filter(({ kind }) => kind === 'Deployment');
        assert.equal(deployments.length, 2);
        for (const deployment of deployments) {
          const pod = at(deployment, 'spec.template.spec') as Record<string, unknown>;
          assert.deepEqual(restrictedProblems(pod), [], deployment.metadata.name);
          for (const container of [
            ...(pod['containers'] as unknown[]),
            ...((pod['initContainers'] ?? []) as unknown[]),
          ]) {
            for (const path of ['requests.cpu', 'requests.memory', 'requests.ephemeral-storage', 'limits.memory']) {
              assert.notEqual(at(container, `resources.${path}`), undefined, path);
            }
            assert.notEqual(at(container, 'resources.limits', 'ephemeral-storage'), undefined);
            assert.equal(at(container, 'securityContext.readOnlyRootFilesystem'), true);
          }
        }
        const subjects = [...deployments, stackWith(spec)];
        assert.deepEqual(violations(workloadsAreHardened, subjects), []);
        assert.deepEqual(unknowns(workloadsAreHardened, subjects), []);
      });
    }
  }

  it('run as somebody who is nobody on the node', () => {
    const pod = hardenedPod(undefined);
    for (const id of ['runAsUser', 'runAsGroup']) assert.ok(Number(pod[id]) > 10_000);
  });

  it('have what the user says, key by key', () => {
    assert.deepEqual(hardenedPod({ runAsUser: 7, seccompProfile: { type: 'Unconfined' } }), {
      runAsNonRoot: true,
      runAsUser: 7,
      runAsGroup: 10_001,
      seccompProfile: { type: 'Unconfined' },
    });
    assert.deepEqual(hardenedContainer({ capabilities: { add: ['IPC_LOCK'] }, readOnlyRootFilesystem: false }), {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'], add: ['IPC_LOCK'] },
      readOnlyRootFilesystem: false,
    });
  });

  it('may be root where the user says so, in the pod or in the container', () => {
    assert.equal(hardenedPod({ runAsUser: 0 })['runAsNonRoot'], undefined);
    assert.equal(hardenedPod(undefined, { runAsUser: 0 })['runAsNonRoot'], undefined);
    assert.equal(hardenedPod({ runAsUser: 0, runAsNonRoot: true })['runAsNonRoot'], true);
    const { applications } = stackOf('vllm', { securityContext: { runAsUser: 0 } });
    const pod = at(objectsOf({ applications: applications ?? {} })['Deployment/chat'], 'spec.template.spec');
    assert.equal(at(pod, 'securityContext.runAsNonRoot'), undefined);
  });

  it('may have a container that prepares a volume as root: the kubelet would refuse to start it', () => {
    const initContainers = [{ name: 'chown', image: 'x', securityContext: { runAsUser: 0 } }];
    const { applications = {} } = stackOf('vllm', { initContainers });
    const objects = objectsOf({ applications, gateway: { initContainers } });
    for (const deployment of ['Deployment/chat', 'Deployment/gateway']) {
      const pod = at(objects[deployment], 'spec.template.spec');
      assert.equal(at(pod, 'securityContext.runAsNonRoot'), undefined, deployment);
      assert.equal(at(pod, 'securityContext.runAsUser'), 10_001, deployment);
    }
  });

  it('may be privileged where the user says so: the API server refuses that beside a ban on gaining privileges', () => {
    assert.equal(hardenedContainer({ privileged: true })['allowPrivilegeEscalation'], undefined);
    assert.equal(
      hardenedContainer({ capabilities: { add: ['CAP_SYS_ADMIN'] } })['allowPrivilegeEscalation'],
      undefined,
    );
    // By this name it does not.
    assert.equal(hardenedContainer({ capabilities: { add: ['SYS_ADMIN'] } })['allowPrivilegeEscalation'], false);
    assert.equal(hardenedContainer({ privileged: false })['allowPrivilegeEscalation'], false);
  });

  it('bear a context that is none', () => {
    assert.equal(hardenedPod({ runAsUser: 'root', seccompProfile: 'none' })['runAsNonRoot'], true);
    assert.equal(hardenedContainer({ capabilities: 'all' })['allowPrivilegeEscalation'], false);
  });
});

describe('the check of the restricted level', () => {
  it('finds every way to break it', () => {
    const container = { name: 'c', securityContext: hardenedContainer(undefined) };
    const pod = { securityContext: hardenedPod(undefined), containers: [container] };
    assert.deepEqual(restrictedProblems(pod), []);
    const broken: Record<string, object> = {
      hostNetwork: { hostNetwork: true },
      'volume v': { volumes: [{ name: 'v', hostPath: { path: '/' } }] },
      'c: runAsNonRoot': { securityContext: { seccompProfile: { type: 'RuntimeDefault' } } },
      'c: seccompProfile': { securityContext: { runAsNonRoot: true } },
      'c: allowPrivilegeEscalation': {
        initContainers: [{ name: 'c', securityContext: { capabilities: { drop: ['ALL'] } } }],
      },
      'c: capabilities.drop': {
        containers: [{ name: 'c', securityContext: { allowPrivilegeEscalation: false } }],
      },
      'c: hostPort': { containers: [{ ...container, ports: [{ containerPort: 1, hostPort: 1 }] }] },
    };
    for (const [problem, change] of Object.entries(broken)) {
      assert.deepEqual(restrictedProblems({ ...pod, ...change }), [problem]);
    }
  });
});
