import assert from 'node:assert/strict';
import { isDeployment, mapPod, type ManifestObject } from '../../../../components/olm/manifest.ts';
import { OPERATOR_NAMESPACE } from '../../../../packages/api/operator-names.ts';
import { committedSettings, type Settings } from '../../../support/pulumi/environment-config.ts';
import { TestFleet } from '../../../support/embedded/fleet.ts';
import { manifestText, releasedManifest } from '../../../support/embedded/foreign-olm.ts';
import { RunningMake } from '../../../support/embedded/running-make.ts';
import { cluster } from '../../../support/embedded/shared-cluster.ts';

const MINUTE = 60_000;
const V3 = 'inference-stack-operator-v3';
const V4 = 'inference-stack-operator-v4';
const INSTALLER = `${V3}-installer`;
const WEBHOOK = 'waits-for-nobody';
const POOL = 'waits.example/pool';
const committedOlm = committedSettings('Pulumi.dev.yaml', 'olm');
const committedCatalog = committedSettings('Pulumi.dev.yaml', 'catalog');

/** What is waited for and cannot become ready, in a real cluster. The tests build on each other. */
describe('an update that waits', function () {
  this.timeout(10 * MINUTE);
  const fleet = new TestFleet(cluster);
  const told: string[] = [];
  let running: RunningMake | undefined;

  before(async () => {
    await fleet.make(['up', `CONFIG=${config({})}`]);
  });
  afterEach(async () => {
    await running?.interrupt();
    running = undefined;
  });
  after(async () => {
    await cluster.kubectl(['delete', 'mutatingwebhookconfiguration', '--ignore-not-found', WEBHOOK]);
    await cluster.kubectl(['label', 'node', cluster.settings.name, `${POOL}-`]);
    await bindInstallerTo(INSTALLER);
    fleet.remove();
    process.stdout.write(`\n${told.join('\n')}\n`);
  });

  function config(changes: Settings): string {
    return fleet.config('Pulumi.dev.yaml', { demo: false, ...changes });
  }

  function up(changes: Settings): RunningMake {
    running = new RunningMake(['up', `CONFIG=${config(changes)}`], cluster.env);
    return running;
  }

  /** The reason that is told within a minute after Pulumi has begun to change the object. */
  async function reason(waiting: RunningMake, object: string, pattern: RegExp): Promise<string> {
    const begun = await waiting.line(new RegExp(`${object}.* (creating|updating)`), 4 * MINUTE);
    const { line, seconds } = await waiting.line(pattern, MINUTE);
    told.push(`after ${(seconds - begun.seconds).toFixed(0)} s: ${line.trim()}`);
    return line;
  }

  it('for a node that no label leads to names the label, and ends when a node gets it', async () => {
    const waiting = up({ olm: { ...committedOlm, nodeSelector: { [POOL]: 'olm' } } });
    const line = await reason(waiting, 'catalogd-controller-manager', /catalogd.* cannot be scheduled: /);
    assert.match(line, /lacks the label waits\.example\/pool=olm/);
    assert.match(line, /Change a node, or `olm\.nodeSelector`/);
    await cluster.kubectl(['label', 'node', cluster.settings.name, `${POOL}=olm`]);
    await waiting.end();
  });

  it('for cpu that no node has names the amount', async () => {
    const waiting = up({ olm: { ...committedOlm, resources: { requests: { cpu: '500' } } } });
    const line = await reason(waiting, 'catalogd-controller-manager', /catalogd.* cannot be scheduled: /);
    assert.match(line, /it asks for 500 cpu, and the largest node that matches has \d+ cpu/);
  });

  it('for an image that is not in the registry names the image', async () => {
    const catalogd = `${cluster.layout.registry}/catalogd:nope`;
    const waiting = up({ olm: { ...committedOlm, images: { catalogd } } });
    const line = await reason(waiting, 'catalogd-controller-manager', /ErrImagePull/);
    assert.ok(line.includes(`${catalogd}: not found`), line);
    assert.match(line, /Look at `olm\.images`/);
  });

  it('for a controller that crashes shows its last lines', async () => {
    const manifest = fleet.write('crashing.yaml', manifestText(releasedManifest().map(withUnknownFlag)));
    const waiting = up({ olm: { ...committedOlm, manifest } });
    const line = await reason(waiting, 'operator-controller-controller-manager', /its last lines: /);
    assert.match(line, /ended with exit code \d+; its last lines: .*unknown flag: --nope/);
  });

  it('for pods that a webhook has to admit names the webhook, and ends when it is gone', async () => {
    await cluster.kubectl(['apply', '-f', '-'], JSON.stringify(unreachableWebhook()));
    const waiting = up({ olm: { ...committedOlm, resources: { requests: { cpu: '11m' } } } });
    const line = await reason(waiting, 'catalogd-controller-manager', /cannot call the webhook/);
    assert.match(line, /webhook pods\.waits\.example of Service waits-nowhere\/nobody: .*not found/);
    await cluster.kubectl(['delete', 'mutatingwebhookconfiguration', WEBHOOK]);
    await waiting.end();
  });

  it('for an extension that OLM may not install repeats what OLM says, and ends when it may', async () => {
    // The test before has restarted catalogd: OLM reads the catalog again before it asks for any right.
    const content = `jsonpath={.status.conditions[?(@.type=="Progressing")].reason}=Succeeded`;
    await cluster.kubectl(['wait', 'clusterextensions', '--all', `--for=${content}`, '--timeout=180s']);
    await bindInstallerTo('nobody');
    const back = { major: 3, channel: 'fast', rollbackTo: '3.0.0' };
    const waiting = up({ operators: [back, { major: 4, channel: 'fast' }] });
    const refused = new RegExp(`ClusterExtension ${V3}: \\w+: .*(forbidden|pre-authorization failed)`, 'i');
    await reason(waiting, `ClusterExtension ${V3}`, refused);
    await bindInstallerTo(INSTALLER);
    await waiting.end();
    assert.deepEqual(await fleet.versions(), [`${V3} 3.0.0`, `${V4} 4.1.0`]);
  });

  it('for a catalog that cannot be pulled repeats what catalogd says', async () => {
    const proxy = { https: 'http://127.0.0.1:9' };
    const waiting = up({ proxy, catalog: { ...committedCatalog, priority: 7 } });
    const line = await reason(
      waiting,
      'ClusterCatalog inference-stack-catalog-dev',
      /ClusterCatalog inference-stack-catalog-dev: \w+: /,
    );
    assert.match(line, /connection refused.*look at DNS, NetworkPolicies and `proxy`/);
  });

  it('is over, without a word, when everything is as it was committed', async () => {
    const output = await fleet.make(['up']);
    assert.doesNotMatch(output, /cannot be scheduled|ErrImagePull|its last lines|cannot call the webhook/);
    assert.deepEqual(await fleet.versions(), [`${V3} 3.1.0`, `${V4} 4.1.0`]);
  });

  /** The ClusterRoleBinding of the installer leads to this account of the operators' namespace. */
  async function bindInstallerTo(name: string): Promise<void> {
    const subjects = [{ kind: 'ServiceAccount', name, namespace: OPERATOR_NAMESPACE }];
    await cluster.kubectl([
      'patch',
      'clusterrolebinding',
      INSTALLER,
      '--type=merge',
      '-p',
      JSON.stringify({ subjects }),
    ]);
  }
});

function withUnknownFlag(object: ManifestObject): ManifestObject {
  if (!isDeployment(object) || !object.metadata.name.startsWith('operator-controller')) return object;
  return mapPod(object, (pod) => ({
    ...pod,
    containers: pod.containers.map((container) => ({ ...container, args: [...(container.args ?? []), '--nope'] })),
  }));
}

/** Refuses every pod of OLM's namespace, since nobody answers for it. */
function unreachableWebhook(): object {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingWebhookConfiguration',
    metadata: { name: WEBHOOK },
    webhooks: [
      {
        name: 'pods.waits.example',
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        failurePolicy: 'Fail',
        clientConfig: { service: { namespace: 'waits-nowhere', name: 'nobody', path: '/' } },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'olmv1-system' } },
      },
    ],
  };
}
