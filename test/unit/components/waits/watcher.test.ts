import assert from 'node:assert/strict';
import { catalogTarget, deploymentTarget } from '../../../../components/waits/target.ts';
import { Watcher } from '../../../../components/waits/watcher.ts';
import type { KubernetesObject } from '../../../../packages/kube/object.ts';
import {
  CATALOGD,
  CATALOGD_POD,
  crashing,
  FakeCluster,
  node,
  progressing,
  pullingPod,
  replicaSet,
  rolledOutDeployment,
  rollingDeployment,
  unschedulable,
  waitingPod,
} from '../../../support/olm/waited-for.ts';

const LABEL = 'node-role.kubernetes.io/control-plane';
const SELECTOR = { nodeSelector: { [LABEL]: '' } };
const NO_NODE = unschedulable("0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector.");

/** A watcher whose time passes only when a test says so. */
class Watched {
  readonly cluster = new FakeCluster();
  readonly said: { readonly at: number; readonly line: string }[] = [];
  readonly watcher: Watcher;
  #seconds = 0;

  constructor() {
    const say = (line: string): void => void this.said.push({ at: this.#seconds, line });
    this.watcher = new Watcher({ cluster: this.cluster, say, now: () => this.#seconds * 1000 });
  }

  get lines(): readonly string[] {
    return this.said.map(({ line }) => line);
  }

  /** Looks every five seconds. */
  async pass(seconds: number): Promise<void> {
    for (const end = this.#seconds + seconds; this.#seconds < end; this.#seconds += 5) await this.watcher.look();
  }
}

function withPod(pod: KubernetesObject, ...others: readonly KubernetesObject[]): readonly KubernetesObject[] {
  return [rollingDeployment(), replicaSet('new', '2'), pod, ...others];
}

describe('what is said while the program waits', () => {
  let watched: Watched;
  const catalogd = deploymentTarget({ name: CATALOGD }, { placement: 'Change a node.' });

  beforeEach(() => {
    watched = new Watched();
    watched.watcher.add(catalogd);
  });

  it('is which label no node has, once, well within a minute', async () => {
    watched.cluster.objects = withPod(waitingPod(NO_NODE, { spec: SELECTOR as object }), node('a'));
    await watched.pass(300);
    assert.deepEqual(watched.said, [
      {
        at: 20,
        line: `Deployment olmv1-system/${CATALOGD}: Pod ${CATALOGD_POD} cannot be scheduled: 1 node lacks the label ${LABEL}=. Change a node.`,
      },
    ]);
  });

  it('is which image a node is still pulling, once, when that takes long', async () => {
    watched.cluster.objects = withPod(pullingPod('True'));
    await watched.pass(300);
    assert.deepEqual(watched.said, [
      {
        at: 40,
        line: `Deployment olmv1-system/${CATALOGD}: Pod ${CATALOGD_POD} is still pulling registry.example/catalogd:v1, for 40 s`,
      },
    ]);
  });

  it('is nothing about the image of a pod that still waits for volumes or its network', async () => {
    watched.cluster.objects = withPod(pullingPod('False'));
    await watched.pass(300);
    assert.deepEqual(watched.said, []);
  });

  it('is nothing about what mends itself within seconds', async () => {
    watched.cluster.objects = withPod(waitingPod(NO_NODE), node('a'));
    await watched.pass(15);
    watched.cluster.objects = [rolledOutDeployment()];
    await watched.pass(300);
    assert.deepEqual(watched.said, []);
  });

  it('is said again when the reason is another', async () => {
    const spec = SELECTOR as object;
    watched.cluster.objects = withPod(waitingPod(NO_NODE, { spec }), node('a'));
    await watched.pass(30);
    const tainted = node('a', { labels: { [LABEL]: '' }, taints: [{ key: 'gpu', effect: 'NoSchedule' }] });
    const other = unschedulable('0/1 nodes are available: 1 node(s) had untolerated taint(s).');
    watched.cluster.objects = withPod(waitingPod(other, { spec }), tainted);
    await watched.pass(60);
    assert.equal(watched.said.length, 2);
    assert.match(watched.lines[1] ?? '', /1 node has the taint gpu:NoSchedule/);
  });

  it('is the last lines of a container that crashes, once, however often it is restarted', async () => {
    watched.cluster.log = 'starting\nError: unknown flag: --nope\n';
    for (let restarts = 1; restarts < 12; restarts += 1) {
      watched.cluster.objects = withPod(waitingPod(crashing(restarts)));
      await watched.pass(10);
    }
    assert.equal(watched.said.length, 1);
    const [{ at, line } = { at: NaN, line: '' }] = watched.said;
    assert.equal(at, 20);
    assert.match(
      line,
      /ended with exit code 1; its last lines: starting \| Error: unknown flag: --nope\. Full log: kubectl logs /,
    );
    assert.deepEqual(
      watched.cluster.asked.filter((path) => path.startsWith('/')),
      [
        `/api/v1/namespaces/olmv1-system/pods/${CATALOGD_POD}/log?container=manager&previous=true&tailLines=5&limitBytes=16384`,
      ],
    );
  });

  it('is what is known already where the cluster does not let us ask further', async () => {
    watched.cluster.objects = withPod(waitingPod(crashing(1)));
    await watched.pass(30);
    assert.match(watched.lines.join(), /keeps crashing \(1 restart\): ended with exit code 1\. Full log/);
  });

  it('is how much a pod asks for when others hold what there is', async () => {
    const spec = { containers: [{ resources: { requests: { cpu: '1', memory: '1Gi' } } }] };
    const full = unschedulable('0/1 nodes are available: 1 Insufficient cpu.');
    watched.cluster.objects = withPod(waitingPod(full, { spec }), node('a'));
    await watched.pass(30);
    assert.match(watched.lines.join(), /it asks for 1 cpu, 1Gi memory, which no node that matches has free/);
  });

  it('is what Events say of a volume that does not come, and nothing while they say nothing', async () => {
    const creating = { containerStatuses: [{ name: 'manager', state: { waiting: { reason: 'ContainerCreating' } } }] };
    const pod = waitingPod(creating, { spec: { nodeName: 'a' } });
    watched.cluster.objects = withPod(pod);
    await watched.pass(60);
    assert.deepEqual(watched.said, []);
    const event = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'e', creationTimestamp: new Date(60_000).toISOString() },
      message: 'MountVolume.SetUp failed for volume "certs": secret "olmv1-cert" not found',
    };
    watched.cluster.objects = withPod(pod, event);
    await watched.pass(10);
    assert.match(watched.lines.join(), /cannot start: MountVolume.SetUp failed .* secret "olmv1-cert" not found/);
  });

  it('is nothing of what is not waited for any more', async () => {
    watched.cluster.objects = withPod(waitingPod(NO_NODE), node('a'));
    await watched.pass(10);
    watched.watcher.remove(catalogd);
    await watched.pass(60);
    assert.deepEqual(watched.said, []);
  });

  it('is not more than five lines of one thing, whatever it says', async () => {
    watched.watcher.add(catalogTarget('catalog'));
    for (const word of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) {
      watched.cluster.objects = [progressing('ClusterCatalog', 'catalog', 'Retrying', `failed for ${word}`)];
      await watched.pass(40);
    }
    assert.equal(watched.said.length, 5);
  });

  it('costs three requests a look, and those for nodes and logs once', async () => {
    watched.cluster.objects = withPod(waitingPod(NO_NODE, { spec: SELECTOR as object }), node('a'));
    await watched.pass(300);
    const count = (plural: string): number => watched.cluster.asked.filter((each) => each === plural).length;
    assert.deepEqual(['deployments', 'replicasets', 'pods', 'nodes'].map(count), [60, 60, 60, 1]);
  });

  it('is nothing when the cluster does not answer', async () => {
    watched.cluster.listAll = () => Promise.reject(new Error('no answer'));
    await watched.pass(60);
    assert.deepEqual(watched.said, []);
  });
});
