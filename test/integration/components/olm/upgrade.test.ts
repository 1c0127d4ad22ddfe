import assert from 'node:assert/strict';
import { EXTENSION_GUARD } from '../../../../components/guards/extension-guard.ts';
import { EXTENSION_CRD, isSameApi } from '../../../../components/olm/extension-api.ts';
import { readExistingOlm } from '../../../../components/olm/read-existing.ts';
import { DEFINITIONS, EXTENSIONS } from '../../../../components/olm/resource-types.ts';
import type { KubernetesObject } from '../../../../packages/kube/object.ts';
import { ControlPlane } from '../../../support/kubernetes/control-plane.ts';
import { eventually } from '../../../support/machine/eventually.ts';
import { installGuard } from '../../../support/kubernetes/install-guard.ts';
import { servedDefinitions } from '../../../support/olm/served-olm.ts';

const V1 = 'inference-stack-operator-v1';
const NAMESPACE = 'inference-stack-operator-system';
const FIELDS = { fieldManager: 'fleet' };

interface Change {
  readonly name?: string;
  readonly namespace?: string;
  readonly account?: string | undefined;
  readonly catalog?: object;
}

/** An extension as this program writes it for OLM up to 1.10, unless told otherwise. */
function extension(change: Change = {}): KubernetesObject {
  const { name = V1, namespace = NAMESPACE } = change;
  const account = 'account' in change ? change.account : `${V1}-installer`;
  const catalog = { packageName: 'inference-stack-operator', channels: ['stable-v1'], ...change.catalog };
  return {
    apiVersion: 'olm.operatorframework.io/v1',
    kind: 'ClusterExtension',
    metadata: { name },
    spec: {
      namespace,
      ...(account === undefined ? {} : { serviceAccount: { name: account } }),
      source: { sourceType: 'Catalog', catalog },
    },
  };
}

const WITHOUT_ACCOUNT = { account: undefined };

/** Two operators of one major by every way that the spec of an extension has, and what they are refused with. */
const DUPLICATES: Readonly<Record<string, readonly [Change, RegExp]>> = {
  'a free name': [{ name: 'second-of-v1' }, /must be named inference-stack-operator-v<major>/],
  'the name of another major': [
    { name: 'inference-stack-operator-v2' },
    /must follow exactly one channel of its major/,
  ],
  'a channel of another major': [{ catalog: { channels: ['stable-v2'] } }, /must follow exactly one channel/],
  'two channels': [{ catalog: { channels: ['stable-v1', 'stable-v2'] } }, /must follow exactly one channel/],
  'no channel': [{ catalog: { channels: [] } }, /must follow exactly one channel/],
  'another namespace': [
    { name: 'inference-stack-operator-v3', namespace: 'x', catalog: { channels: ['fast-v3'] } },
    /must install into namespace/,
  ],
  'a silent way out of the upgrade graph': [
    { catalog: { version: '1.0.0', upgradeConstraintPolicy: 'SelfCertified' } },
    /only for a declared rollback/,
  ],
};

/** The CRDs of every version on a real API server, one after the other, with an extension that lives through it. */
describe('the CRDs of OLM, upgraded under an extension', function () {
  this.timeout(120_000);
  let plane: ControlPlane;

  before(async () => {
    plane = await ControlPlane.start();
    await replaceDefinitions('1.5.1');
    await eventually(() => plane.client.list(EXTENSIONS));
    await installGuard(plane.client, EXTENSION_GUARD);
    await eventually(() => assert.rejects(dryRun(extension({ name: 'probe' }))), 30_000);
    await plane.client.apply(EXTENSIONS, extension(), FIELDS);
  });
  after(() => plane.stop());

  /** As the provider does it: the whole object, over the one that is there. */
  async function replaceDefinitions(version: string): Promise<void> {
    for (const definition of servedDefinitions(version)) {
      const object = { ...definition, metadata: { ...definition.metadata } } as KubernetesObject;
      const [live] = (await plane.client.listAll(DEFINITIONS)).filter(
        ({ metadata }) => metadata.name === object.metadata.name,
      );
      const resourceVersion = live?.metadata.resourceVersion;
      if (resourceVersion === undefined) await plane.client.create(DEFINITIONS, object);
      else await plane.client.update(DEFINITIONS, { ...object, metadata: { ...object.metadata, resourceVersion } });
    }
  }

  async function dryRun(object: KubernetesObject): Promise<KubernetesObject> {
    return plane.client.apply(EXTENSIONS, object, { fieldManager: 'probe', force: true, dryRun: true });
  }

  /** Whether the CRD that is there admits what the one of a version does. */
  async function isThat(version: string): Promise<boolean> {
    const [wanted] = servedDefinitions(version).filter(({ metadata }) => metadata.name === EXTENSION_CRD);
    const existing = await readExistingOlm(plane.client);
    assert.ok(existing?.definition && wanted);
    return isSameApi(existing.definition, wanted);
  }

  async function refusesDuplicates(more: Change): Promise<void> {
    for (const [way, [change, message]] of Object.entries(DUPLICATES)) {
      await assert.rejects(dryRun(extension({ ...more, ...change })), message, way);
    }
    await dryRun(extension({ ...more, name: 'inference-stack-operator-v2', catalog: { channels: ['fast-v2'] } }));
  }

  async function uid(): Promise<string | undefined> {
    return (await plane.client.get(EXTENSIONS, { name: V1 })).metadata.uid;
  }

  it('are recognised as those of 1.5.1, which 1.10.0 does not change, and 1.11.0 does', async () => {
    assert.deepEqual(await Promise.all(['1.5.1', '1.10.0', '1.11.0'].map(isThat)), [true, true, false]);
  });

  it('refuse extensions without an account in 1.5.1, and two operators of one major', async () => {
    await assert.rejects(
      dryRun(
        extension({ name: 'inference-stack-operator-v2', catalog: { channels: ['fast-v2'] }, ...WITHOUT_ACCOUNT }),
      ),
      /serviceAccount: Required value/,
    );
    await refusesDuplicates({});
  });

  it('keep the extension in 1.10.0, and refuse the same', async () => {
    const before = await uid();
    await replaceDefinitions('1.10.0');
    await plane.client.apply(EXTENSIONS, extension({ catalog: { version: '1.x' } }), FIELDS);
    assert.equal(await uid(), before);
    // What a preview of 1.11.0 would hear if it asked: why it does not.
    await assert.rejects(
      plane.client.apply(EXTENSIONS, extension(WITHOUT_ACCOUNT), { ...FIELDS, dryRun: true }),
      /serviceAccount: Required value/,
    );
    await refusesDuplicates({});
  });

  it('let go of the account in 1.11.0, with the extension kept, and refuse two operators of one major', async () => {
    const before = await uid();
    await replaceDefinitions('1.11.0');
    assert.deepEqual(await Promise.all(['1.10.0', '1.11.0'].map(isThat)), [false, true]);
    // The API server takes a moment to judge by another CRD.
    await eventually(() => plane.client.apply(EXTENSIONS, extension(WITHOUT_ACCOUNT), FIELDS), 30_000);
    const { spec, metadata } = await plane.client.get(EXTENSIONS, { name: V1 });
    assert.equal('serviceAccount' in (spec as object), false);
    assert.equal(metadata.uid, before);
    await refusesDuplicates(WITHOUT_ACCOUNT);
    await refusesDuplicates({});
  });
});
