import assert from 'node:assert/strict';
import { UNKNOWN } from '../../../../policies/knowledge/objects/object-reader.ts';
import { workloadsAreHardened } from '../../../../policies/rules/workloads-are-hardened.ts';
import { deployment } from '../../../support/policies/objects.ts';
import { unknowns, violations, withChanges } from '../../../support/policies/support.ts';

const POD = ['spec', 'template', 'spec'];
const CONTAINER = [...POD, 'containers', 0];
const MANAGER = 'Deployment inference-stack-operator-system/controller: container manager';

describe('workloads-are-hardened', () => {
  it('admits a hardened Deployment', () => assert.deepEqual(violations(workloadsAreHardened, [deployment()]), []));

  it('admits a context that the container sets instead of the pod', () => {
    const object = withChanges(
      deployment(),
      [[...POD, 'securityContext'], undefined],
      [[...CONTAINER, 'securityContext', 'runAsNonRoot'], true],
      [[...CONTAINER, 'securityContext', 'seccompProfile'], { type: 'Localhost', localhostProfile: 'p.json' }],
    );
    assert.deepEqual(violations(workloadsAreHardened, [object]), []);
  });

  it('asks no probes of what ends by itself', () => {
    const { spec } = deployment() as { spec: object };
    const job = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'once', namespace: 'a' }, spec };
    const changes = ['livenessProbe', 'readinessProbe'].map((probe) => [[...CONTAINER, probe], undefined] as const);
    assert.deepEqual(violations(workloadsAreHardened, [withChanges(job, ...changes)]), []);
  });

  it("leaves other people's namespaces alone", () => {
    const object = withChanges(
      deployment(),
      [['metadata', 'namespace'], 'kube-system'],
      [[...POD, 'securityContext'], undefined],
    );
    assert.deepEqual(violations(workloadsAreHardened, [object]), []);
    const settings = { exemptNamespaces: [] };
    assert.equal(violations(workloadsAreHardened, [object], undefined, settings).length, 2);
  });

  const broken: Record<string, readonly [(string | number)[], unknown, string]> = {
    root: [[...POD, 'securityContext', 'runAsNonRoot'], undefined, 'should run as non-root (runAsNonRoot: true)'],
    'privileged containers': [[...CONTAINER, 'securityContext', 'privileged'], true, 'should not be privileged'],
    'privilege escalation': [
      [...CONTAINER, 'securityContext', 'allowPrivilegeEscalation'],
      undefined,
      'should not allow privilege escalation (allowPrivilegeEscalation: false)',
    ],
    'kept capabilities': [
      [...CONTAINER, 'securityContext', 'capabilities'],
      { drop: ['NET_RAW'] },
      'should drop all capabilities (capabilities.drop: [ALL])',
    ],
    'added capabilities': [
      [...CONTAINER, 'securityContext', 'capabilities', 'add'],
      ['NET_BIND_SERVICE', 'SYS_ADMIN'],
      'should not add capabilities (SYS_ADMIN)',
    ],
    'no seccomp profile': [
      [...POD, 'securityContext', 'seccompProfile', 'type'],
      'Unconfined',
      'should have a seccomp profile (seccompProfile.type: RuntimeDefault)',
    ],
    'a writable root': [
      [...CONTAINER, 'securityContext', 'readOnlyRootFilesystem'],
      false,
      'should have a read-only root file system (readOnlyRootFilesystem: true)',
    ],
    'no CPU request': [
      [...CONTAINER, 'resources', 'requests', 'cpu'],
      undefined,
      'should request CPU (resources.requests.cpu)',
    ],
    'no memory request': [
      [...CONTAINER, 'resources', 'requests', 'memory'],
      undefined,
      'should request memory (resources.requests.memory)',
    ],
    'no memory limit': [
      [...CONTAINER, 'resources', 'limits'],
      undefined,
      'should limit its memory (resources.limits.memory)',
    ],
    'no liveness probe': [[...CONTAINER, 'livenessProbe'], undefined, 'should have a liveness probe'],
    'no readiness probe': [[...CONTAINER, 'readinessProbe'], undefined, 'should have a readiness probe'],
    'the tag latest': [[...CONTAINER, 'image'], 'docker.io/tytn/controller:latest', 'should not use the tag latest'],
    'no tag': [[...CONTAINER, 'image'], 'localhost:5000/controller', 'should not use the tag latest'],
  };
  for (const [what, [path, value, message]] of Object.entries(broken)) {
    it(`refuses ${what}`, () => {
      const object = withChanges(deployment(), [path, value]);
      assert.deepEqual(violations(workloadsAreHardened, [object]), [`${MANAGER} ${message}.`]);
    });
  }

  const WORKLOAD = 'Deployment inference-stack-operator-system/controller';

  for (const field of ['hostNetwork', 'hostPID', 'hostIPC']) {
    it(`refuses ${field}`, () => {
      const object = withChanges(deployment(), [[...POD, field], true]);
      assert.deepEqual(violations(workloadsAreHardened, [object]), [
        `${WORKLOAD} should not share a namespace of its node (${field}: true).`,
      ]);
    });
  }

  it('refuses a folder of the node, and says what it cannot judge beside it', () => {
    const volumes = [UNKNOWN, { name: 'root', hostPath: { path: '/' } }, { name: 'scratch', emptyDir: {} }];
    const object = withChanges(deployment(), [[...POD, 'volumes'], volumes]);
    assert.deepEqual(violations(workloadsAreHardened, [object]), [
      `${WORKLOAD} should not mount a folder of its node (volume root: hostPath).`,
    ]);
    assert.deepEqual(unknowns(workloadsAreHardened, [object]), [
      `${WORKLOAD}: spec.template.spec.volumes[0] is known only after the update.`,
    ]);
  });

  it('judges every kind that makes pods', () => {
    const { spec } = deployment() as { spec: { template: { spec: object } } };
    const broken = withChanges(spec, [['template', 'spec', 'hostPID'], true]);
    const kinds = { ReplicationController: 'v1', ReplicaSet: 'apps/v1', StatefulSet: 'apps/v1', DaemonSet: 'apps/v1' };
    for (const [kind, apiVersion] of Object.entries(kinds)) {
      const object = { apiVersion, kind, metadata: { name: 'a', namespace: 'b' }, spec: broken };
      assert.equal(violations(workloadsAreHardened, [object]).length, 1, kind);
    }
  });

  it('judges init containers, and CronJobs', () => {
    const pod = (deployment() as { spec: { template: object } }).spec.template;
    const job = {
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata: { name: 'nightly', namespace: 'a' },
      spec: { jobTemplate: { spec: { template: pod } } },
    };
    const container = (pod as { spec: { containers: object[] } }).spec.containers[0];
    const init = { ...container, name: 'prepare', image: 'docker.io/library/busybox' };
    const object = withChanges(job, [['spec', 'jobTemplate', 'spec', 'template', 'spec', 'initContainers'], [init]]);
    assert.deepEqual(violations(workloadsAreHardened, [object]), [
      'CronJob a/nightly: container prepare should not use the tag latest.',
    ]);
  });

  it('says what it cannot judge in a preview', () => {
    const object = withChanges(deployment(), [[...CONTAINER, 'image'], UNKNOWN]);
    assert.deepEqual(violations(workloadsAreHardened, [object]), []);
    assert.deepEqual(unknowns(workloadsAreHardened, [object]), [
      'Deployment inference-stack-operator-system/controller: spec.template.spec.containers[0].image is known only after the update.',
    ]);
    assert.deepEqual(unknowns(workloadsAreHardened, [withChanges(deployment(), [['spec', 'template'], UNKNOWN])]), [
      'Deployment inference-stack-operator-system/controller: spec.template is known only after the update.',
    ]);
  });
});
