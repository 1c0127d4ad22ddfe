import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readLiveObjects } from '../../../../components/impact/upgrade/live-objects.ts';
import { readCapabilities } from '../../../../components/impact/upgrade/question.ts';
import { upgradeImpact, type UpgradeImpact } from '../../../../components/impact/upgrade/upgrade-impact.ts';
import { objectKey, type KubernetesObject } from '../../../../packages/kube/object.ts';
import { textAt, valueAt } from '../../../../packages/lib/json.ts';
import { COMPONENT_LABEL, INSTANCE_LABEL } from '../../../../packages/render/names.ts';
import { startControllers } from '../../../support/kubernetes/kube-programs.ts';
import type { ControlPlane } from '../../../support/kubernetes/control-plane.ts';
import { eventually } from '../../../support/machine/eventually.ts';
import type { Program } from '../../../support/machine/program.ts';
import { CHANGES, packedOperator } from '../../../support/operator/changed-operator.ts';
import { OperatorProcess } from '../../../support/operator/operator-process.ts';
import { randomSpecs } from '../../../support/operator/random-stacks.ts';
import { newStack, ownedType, STACKS } from '../../../support/operator/stack-api.ts';
import { startPlane } from '../../../support/operator/stack-plane.ts';

const COUNT = 50;
const SEED = Number(process.env['SEED'] ?? 19);
const DEPLOYMENTS = ownedType('Deployment');
const REVISION = 'deployment.kubernetes.io/revision';
/** What is applied, and makes no pod another one. */
const KEEPS_PODS: readonly string[] = ['label', 'writtenDefault'];
const PATIENCE_MS = 240_000;

/** What is known of the Deployments of a fleet: how often their pods were replaced, and how many they have. */
type Revisions = ReadonlyMap<string, { readonly revision: string; readonly pods: number; readonly generation: number }>;

describe(`upgrades of ${String(COUNT)} random stacks, with seed ${String(SEED)}`, function () {
  this.timeout(2 * PATIENCE_MS);
  let plane: ControlPlane;
  let controllers: Program;
  let operator: OperatorProcess | undefined;
  let directory: string;
  let version = '1.0.0';

  before(async () => {
    plane = await startPlane();
    controllers = await startControllers(plane, ['deployment-controller', 'replicaset-controller']);
    directory = await mkdtemp(join(tmpdir(), 'exact-'));
    for (const [index, spec] of randomSpecs(COUNT, SEED).entries()) {
      await plane.client.create(STACKS, newStack('team-a', `stack-${String(index)}`, spec));
    }
    await run(await packedOperator());
  });
  after(async () => {
    await operator?.stop();
    await controllers.stop();
    await plane.stop();
    await rm(directory, { recursive: true });
  });

  /** Lets this version serve the stacks in place of the one before, until it has nothing more to do. */
  async function run(source: string): Promise<void> {
    await operator?.stop();
    const file = join(directory, `${version}.cjs`);
    await writeFile(file, source);
    operator = await OperatorProcess.start({
      kubeconfig: await plane.kubeconfig(),
      directory,
      version,
      file,
      pod: version,
    });
    await eventually(settled, PATIENCE_MS, 500);
  }

  /** Every stack is served by the version, and every Deployment is as its controller has seen it. */
  async function settled(): Promise<void> {
    for (const { metadata, status } of await plane.client.listAll(STACKS)) {
      const seen = [valueAt(status, 'operatorVersion'), valueAt(status, 'observedGeneration')];
      assert.deepEqual(seen, [version, metadata.generation], metadata.name);
    }
    for (const { metadata, status } of await deployments()) {
      assert.equal(valueAt(status, 'observedGeneration'), metadata.generation, metadata.name);
    }
  }

  async function deployments(): Promise<KubernetesObject[]> {
    return plane.client.listAll(DEPLOYMENTS);
  }

  async function revisions(): Promise<Revisions> {
    return new Map(
      (await deployments()).map(({ metadata, status }) => {
        const { [INSTANCE_LABEL]: stack = '', [COMPONENT_LABEL]: component = '' } = metadata.labels ?? {};
        const key = `${objectKey({ namespace: metadata.namespace, name: stack })} ${component.replace(/^application-/, '')}`;
        const pods = Number(valueAt(status, 'replicas') ?? 0);
        return [
          key,
          { revision: textAt(metadata, 'annotations', REVISION), pods, generation: metadata.generation ?? 0 },
        ];
      }),
    );
  }

  async function predicted(source: string, to: string): Promise<UpgradeImpact> {
    const { client } = plane;
    const cluster = { client, objects: await readLiveObjects(client), capabilities: await readCapabilities(client) };
    return upgradeImpact(cluster, {
      major: 1,
      from: version,
      version: { name: `operator ${to}`, version: to, source },
    });
  }

  for (const [index, [name, change]] of Object.entries(CHANGES).entries()) {
    it(`replace the pods that were named, when the version brings ${name}`, async () => {
      const source = await packedOperator(change);
      const to = `1.0.${String(index + 1)}`;
      const before = await revisions();
      const impact = await predicted(source, to);
      assert.equal(impact.stacks, COUNT);
      version = to;
      await run(source);
      const after = await revisions();
      const replaced = [...after].filter(([key, { revision }]) => revision !== before.get(key)?.revision);
      const withPods = replaced.map(([key]) => key).filter((key) => (before.get(key)?.pods ?? 0) > 0);
      const named = impact.affected.flatMap((each) =>
        each.kind === 'replaced' ? each.pods.map(({ component }) => `${each.stack} ${component}`) : [],
      );
      assert.deepEqual(named.toSorted(), withPods.toSorted());
      assert.equal(named.length > 0, !KEEPS_PODS.includes(name), `${String(named.length)} were named`);
      assert.ok(impact.affected.length > 0);
      const affected = new Set(impact.affected.map(({ stack }) => stack));
      const written = [...after].filter(([key, { generation }]) => generation !== before.get(key)?.generation);
      for (const [key] of written) assert.ok(affected.has(key.split(' ')[0] ?? ''), `${key} was said to be unchanged`);
    });
  }

  it('say afterwards that the same version changes nothing', async () => {
    const [last] = Object.values(CHANGES).slice(-1);
    const { affected } = await predicted(await packedOperator(last), version);
    assert.deepEqual(affected, []);
  });
});
