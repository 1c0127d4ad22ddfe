import assert from 'node:assert/strict';
import { EXTENSION_GUARD } from '../../../../components/guards/extension-guard.ts';
import { stackGuard } from '../../../../components/guards/stack-guard.ts';
import { DEFINITIONS, EXTENSIONS } from '../../../../components/olm/resource-types.ts';
import { GROUP } from '../../../../packages/api/constants.ts';
import { ApiError } from '../../../../packages/kube/client/api-error.ts';
import type { KubernetesObject, ResourceType } from '../../../../packages/kube/object.ts';
import { audit } from '../../../../policies/audit/audit.ts';
import { collect } from '../../../../policies/audit/collect.ts';
import { guardsAreEnforced } from '../../../../policies/rules/guards-are-enforced.ts';
import { ControlPlane } from '../../../support/kubernetes/control-plane.ts';
import { eventually } from '../../../support/machine/eventually.ts';
import { BINDINGS, installGuard } from '../../../support/kubernetes/install-guard.ts';
import { minimalCrd } from '../../../support/kubernetes/minimal-crd.ts';
import { createNamespace, STACKS } from '../../../support/operator/stack-api.ts';

interface Extension {
  readonly name?: string;
  readonly namespace?: string;
  readonly annotations?: Record<string, string>;
  readonly catalog?: object;
}

/** An extension that is right; each test breaks it in one place. */
function extension(change: Extension = {}): KubernetesObject {
  const { name = 'inference-stack-operator-v1', namespace = 'inference-stack-operator-system' } = change;
  const catalog = { packageName: 'inference-stack-operator', channels: ['stable-v1'], ...change.catalog };
  return {
    apiVersion: 'olm.operatorframework.io/v1',
    kind: 'ClusterExtension',
    metadata: { name, ...(change.annotations === undefined ? {} : { annotations: change.annotations }) },
    spec: { namespace, source: { sourceType: 'Catalog', catalog } },
  };
}

function stack(name: string, label?: string, namespace = 'default'): KubernetesObject {
  return {
    apiVersion: `${GROUP}/v1beta1`,
    kind: 'InferenceStack',
    metadata: { name, namespace, ...(label === undefined ? {} : { labels: { operatorVersion: label } }) },
    spec: {},
  };
}

describe('the guards in a real API server', () => {
  let plane: ControlPlane;

  before(async function () {
    this.timeout(120_000);
    plane = await ControlPlane.start();
    for (const type of [EXTENSIONS, STACKS]) await plane.client.create(DEFINITIONS, minimalCrd(type));
    await eventually(() => plane.client.list(EXTENSIONS));
    await eventually(() => plane.client.list(STACKS));
    await plane.client.create(STACKS, stack('orphan', 'v7'));
    for (const guard of [EXTENSION_GUARD, stackGuard([1, 2])]) await installGuard(plane.client, guard);
    // The API server takes a moment to learn of a policy.
    await eventually(async () => {
      await assert.rejects(refusal(EXTENSIONS, extension({ name: 'probe' })));
      await assert.rejects(refusal(STACKS, stack('probe')));
    }, 30_000);
  });

  after(async () => plane.stop());

  /** Applies without keeping; throws what the API server says, without the part that every refusal has. */
  async function refusal(type: ResourceType, object: KubernetesObject): Promise<void> {
    try {
      await plane.client.apply(type, object, { fieldManager: 'test', dryRun: true });
    } catch (error) {
      assert.ok(error instanceof ApiError);
      throw new Error(error.message.replace(/^.* denied request: /s, ''), { cause: error });
    }
  }

  it('accept an extension of one major, by each of its channels', async () => {
    for (const channel of ['stable-v1', 'fast-v1', 'candidate-v1']) {
      await refusal(EXTENSIONS, extension({ catalog: { channels: [channel], version: '>=0.1.0' } }));
    }
  });

  it('leave extensions of other packages alone', async () => {
    const catalog = { packageName: 'other', channels: ['a', 'b'] };
    await refusal(EXTENSIONS, extension({ name: 'anything', namespace: 'x', catalog }));
  });

  const refused: readonly (readonly [string, Extension, string])[] = [
    [
      'a free name',
      { name: 'my-operator' },
      'ClusterExtension my-operator of package inference-stack-operator must be named inference-stack-operator-v<major>, so that there is one operator per major',
    ],
    [
      'a channel of another major',
      { catalog: { channels: ['stable-v2'] } },
      'ClusterExtension inference-stack-operator-v1 must follow exactly one channel of its major: stable-v1, fast-v1 or candidate-v1',
    ],
    [
      'two channels',
      { catalog: { channels: ['stable-v1', 'fast-v1'] } },
      'ClusterExtension inference-stack-operator-v1 must follow exactly one channel of its major: stable-v1, fast-v1 or candidate-v1',
    ],
    [
      'no channel',
      { catalog: { channels: [] } },
      'ClusterExtension inference-stack-operator-v1 must follow exactly one channel of its major: stable-v1, fast-v1 or candidate-v1',
    ],
    [
      'another namespace',
      { namespace: 'elsewhere' },
      'ClusterExtension inference-stack-operator-v1 must install into namespace inference-stack-operator-system, where the Leases of operators are',
    ],
    [
      'a silent rollback',
      { catalog: { version: '1.0.0', upgradeConstraintPolicy: 'SelfCertified' } },
      'ClusterExtension inference-stack-operator-v1 may leave the upgrade graph only for a declared rollback: set annotation inference-stack-fleet/rollback-to to the version that spec.source.catalog.version pins',
    ],
  ];
  for (const [name, change, message] of refused) {
    it(`refuse an extension with ${name}`, async () => {
      await assert.rejects(refusal(EXTENSIONS, extension(change)), { message });
    });
  }

  it('accept a declared rollback', async () => {
    const catalog = { version: '1.0.0', upgradeConstraintPolicy: 'SelfCertified' };
    await refusal(EXTENSIONS, extension({ catalog, annotations: { 'inference-stack-fleet/rollback-to': '1.0.0' } }));
  });

  it('accept stacks of the majors that exist, however the label spells them', async () => {
    for (const label of ['v1', '1', '2.1', '2.1.3', 'v2.0']) await refusal(STACKS, stack('chat', label));
  });

  it('refuse a stack without a label', async () => {
    await assert.rejects(refusal(STACKS, stack('chat')), {
      message:
        'InferenceStack chat has no label operatorVersion, so no operator would serve it. Operators of this cluster: v1, v2.',
    });
  });

  it('refuse a stack whose label names no version', async () => {
    await assert.rejects(refusal(STACKS, stack('chat', 'latest')), {
      message:
        'InferenceStack chat has label operatorVersion=latest, which is not a version. Use a major such as v3, or a least version such as 3.1. Operators of this cluster: v1, v2.',
    });
  });

  it('refuse a stack of a major that nobody serves, and say who is there', async () => {
    await assert.rejects(refusal(STACKS, stack('chat', 'v3')), {
      message:
        'InferenceStack chat asks for an operator of major 3 by its label operatorVersion, but there is none. Operators of this cluster: v1, v2.',
    });
  });

  it('refuse a stack in the namespaces of the system, whose accounts its pods could use', async () => {
    for (const namespace of ['olmv1-system', 'inference-stack-operator-system']) {
      await createNamespace(plane.client, namespace);
    }
    for (const namespace of ['kube-system', 'kube-public', 'olmv1-system', 'inference-stack-operator-system']) {
      await assert.rejects(refusal(STACKS, stack('chat', 'v1', namespace)), {
        message: `InferenceStack chat must not be in namespace ${namespace}, which is for the system: its pods could use the accounts there. Use a namespace of your own.`,
      });
    }
  });

  it('let an orphaned stack be edited, relabelled to a served major and deleted', async () => {
    const ref = { namespace: 'default', name: 'orphan' };
    await plane.client.mergePatch(STACKS, ref, { spec: { edited: true } });
    await assert.rejects(plane.client.mergePatch(STACKS, ref, { metadata: { labels: { operatorVersion: 'v8' } } }));
    await plane.client.mergePatch(STACKS, ref, { metadata: { labels: { operatorVersion: 'v2' } } });
    await plane.client.delete(STACKS, ref);
  });

  it('stand, says the audit, until somebody makes one of them warn only', async () => {
    const findings = async (): Promise<readonly string[]> =>
      audit([guardsAreEnforced], await collect(plane.client), 'prod')
        .findings.map(({ message }) => message)
        .filter((message) => message.startsWith('Validating'));
    assert.deepEqual(await findings(), []);
    const { name } = EXTENSION_GUARD;
    await plane.client.mergePatch(BINDINGS, { name }, { spec: { validationActions: ['Audit'] } });
    assert.deepEqual(await findings(), [
      `ValidatingAdmissionPolicyBinding ${name} should refuse what breaks the rules of the fleet (validationActions: [Deny]), not only Audit.`,
    ]);
  });
});
