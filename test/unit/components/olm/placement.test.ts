import assert from 'node:assert/strict';
import { isDeployment, mapPod, parseManifest, type ManifestObject } from '../../../../components/olm/manifest.ts';
import { placeControllers, type NodeFacts } from '../../../../components/olm/placement.ts';
import { transformManifest } from '../../../../components/olm/transform.ts';
import { OLM_MANIFEST } from '../../../support/olm/olm-manifest.ts';

const LABEL = 'node-role.kubernetes.io/control-plane';
const OLDER = parseManifest(OLM_MANIFEST, 'olm.yaml');
/** As releases have it since 1.10. */
const MANIFEST = OLDER.map((object) =>
  isDeployment(object)
    ? mapPod(object, (pod) => ({
        ...pod,
        nodeSelector: { 'kubernetes.io/os': 'linux', [LABEL]: '' },
        tolerations: [{ key: LABEL, operator: 'Exists', effect: 'NoSchedule' }],
      }))
    : object,
);
const NOWHERE = `OLM’s manifest asks for nodes labelled ${LABEL}=, but no node of the cluster fits, so OLM runs on any node. Set a nodeSelector for OLM to choose nodes.`;

function node(value: string, ...taints: NodeFacts['taints']): NodeFacts {
  return { labels: { 'kubernetes.io/os': 'linux', [LABEL]: value }, taints };
}

function podsOf(objects: readonly ManifestObject[]): readonly unknown[] {
  return objects.filter(isDeployment).map(({ spec: { template } }) => {
    const { nodeSelector, tolerations, affinity } = template.spec;
    return { nodeSelector, tolerations, affinity };
  });
}

describe('where OLM runs', () => {
  it('is where its manifest says, on a cluster that has such a node', () => {
    const own = { key: LABEL, effect: 'NoSchedule' };
    const passing = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };
    assert.deepEqual(placeControllers(MANIFEST, {}, [node('true'), node('', own, passing)]), { placement: {} });
  });

  it('is any node where none has the label, none has it with that value, or none would take the pods', () => {
    const taint = { key: 'dedicated', value: 'etcd', effect: 'NoSchedule' };
    for (const nodes of [[], [node('true')], [node('', taint)]]) {
      assert.deepEqual(placeControllers(MANIFEST, {}, nodes), {
        placement: { nodeSelector: { 'kubernetes.io/os': 'linux' } },
        note: NOWHERE,
      });
    }
  });

  it('takes the tolerations of the settings into account', () => {
    const tolerations = [{ key: 'dedicated', operator: 'Exists' }];
    const nodes = [node('', { key: 'dedicated', value: 'etcd', effect: 'NoSchedule' })];
    assert.deepEqual(placeControllers(MANIFEST, { tolerations }, nodes), { placement: { tolerations } });
  });

  it('is assumed to be where the manifest says when the nodes are not known, and that is said', () => {
    assert.deepEqual(placeControllers(MANIFEST, {}, undefined), {
      placement: {},
      note: `The nodes of the cluster are not known: OLM is placed on nodes labelled ${LABEL}=, as its manifest asks. Set a nodeSelector for OLM to choose others.`,
    });
  });

  it('is where it runs when the nodes are not known, so that a preview shows what `up` does', () => {
    const stays = 'The nodes of the cluster are not known: OLM stays where it runs';
    assert.deepEqual(placeControllers(MANIFEST, {}, undefined, { 'kubernetes.io/os': 'linux' }), {
      placement: { nodeSelector: { 'kubernetes.io/os': 'linux' } },
      note: `${stays}, which need not be a node labelled ${LABEL}=. Set a nodeSelector for OLM to choose nodes.`,
    });
    assert.deepEqual(placeControllers(MANIFEST, {}, undefined, { [LABEL]: '' }), {
      placement: {},
      note: `${stays}, on nodes labelled ${LABEL}=. Set a nodeSelector for OLM to choose others.`,
    });
    assert.deepEqual(placeControllers(MANIFEST, {}, [node('')], {}), { placement: {} });
  });

  it('is where the settings say, without a word', () => {
    const selectors: readonly Record<string, string>[] = [{ pool: 'system' }, {}];
    for (const nodeSelector of selectors) {
      assert.deepEqual(placeControllers(MANIFEST, { nodeSelector }, []), { placement: { nodeSelector } });
    }
  });

  it('is where the settings’ node affinity says, without the manifest’s label beside it', () => {
    const nodeSelectorTerms = [{ matchExpressions: [{ key: 'pool', operator: 'In', values: ['system'] }] }];
    const required = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } };
    const affinity = { nodeAffinity: required };
    for (const nodes of [[node('')], [], undefined]) {
      const placement = { affinity, nodeSelector: { 'kubernetes.io/os': 'linux' } };
      assert.deepEqual(placeControllers(MANIFEST, { affinity }, nodes), { placement });
    }
    const spread = { affinity: { podAntiAffinity: {} } };
    assert.deepEqual(placeControllers(MANIFEST, spread, [node('')]), { placement: spread });
  });

  it('is nothing to talk about for a manifest that asks for no such node', () => {
    assert.deepEqual(placeControllers(OLDER, {}, undefined), { placement: {} });
  });

  it('is written into both controllers, tolerations beside those of the manifest', () => {
    const placement = {
      nodeSelector: { pool: 'system' },
      tolerations: [{ key: 'dedicated', operator: 'Exists' }],
      affinity: { podAntiAffinity: {} },
    };
    const expected = {
      ...placement,
      tolerations: [{ key: LABEL, operator: 'Exists', effect: 'NoSchedule' }, ...placement.tolerations],
    };
    assert.deepEqual(podsOf(transformManifest(MANIFEST, { placement })), [expected, expected]);
    assert.deepEqual(podsOf(transformManifest(MANIFEST, { placement: {} })), podsOf(MANIFEST));
  });
});
