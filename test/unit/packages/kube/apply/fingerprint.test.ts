import assert from 'node:assert/strict';
import { appliedFingerprint, desiredFingerprint, hasApplied } from '../../../../../packages/kube/apply/fingerprint.ts';
import type { FieldSet, KubernetesObject } from '../../../../../packages/kube/object.ts';
import { counting } from '../../../../support/operator/counting.ts';

const desired: KubernetesObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'chat', namespace: 'a', labels: { app: 'chat' } },
  spec: {
    template: {
      spec: {
        containers: [
          {
            name: 'chat',
            command: ['serve', '--fast'],
            ports: [{ containerPort: 3000 }],
            resources: { limits: { cpu: '1000m', 'nvidia.com/gpu': 1 } },
          },
        ],
      },
    },
  },
};

const fields: FieldSet = {
  'f:metadata': { 'f:labels': { 'f:app': {} } },
  'f:spec': {
    'f:template': {
      'f:spec': {
        'f:containers': {
          'k:{"name":"chat"}': {
            '.': {},
            'f:name': {},
            'f:command': {},
            'f:ports': { 'k:{"containerPort":3000,"protocol":"TCP"}': { '.': {}, 'f:containerPort': {} } },
            'f:resources': { 'f:limits': { 'f:cpu': {}, 'f:nvidia.com/gpu': {} } },
          },
        },
      },
    },
  },
};

/** As the API server stores it: with defaults, canonical quantities, and what others have added. */
function live(): KubernetesObject & { spec: { replicas: number; template: { spec: { containers: object[] } } } } {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name: 'chat',
      namespace: 'a',
      uid: 'u',
      labels: { app: 'chat', theirs: 'x' },
      managedFields: [
        { manager: 'us', operation: 'Apply', apiVersion: 'apps/v1', fieldsV1: fields },
        { manager: 'them', operation: 'Update', apiVersion: 'apps/v1', fieldsV1: { 'f:spec': { 'f:replicas': {} } } },
      ],
    },
    spec: {
      replicas: 3,
      template: {
        spec: {
          containers: [
            { name: 'sidecar', image: 'theirs' },
            {
              name: 'chat',
              command: ['serve', '--fast'],
              ports: [{ containerPort: 3000, protocol: 'TCP' }],
              resources: { limits: { cpu: '1', 'nvidia.com/gpu': '1' } },
              terminationMessagePath: '/dev/termination-log',
            },
          ],
        },
      },
    },
  };
}

describe('the fingerprint of what we applied', () => {
  it('equals that of what we want, whatever others and defaults have added', () => {
    assert.equal(appliedFingerprint(live(), 'us'), desiredFingerprint(desired));
  });

  it('changes with a value of ours, and not with a value of others', () => {
    const theirs = live();
    theirs.spec.replicas = 7;
    assert.equal(appliedFingerprint(theirs, 'us'), desiredFingerprint(desired));
    const ours = live();
    ours.metadata.labels = { app: 'other' };
    assert.notEqual(appliedFingerprint(ours, 'us'), desiredFingerprint(desired));
  });

  it('changes when we no longer want a field that we have set', () => {
    const less = structuredClone(desired);
    less.metadata.labels = {};
    assert.notEqual(appliedFingerprint(live(), 'us'), desiredFingerprint(less));
  });

  it('is missing for what we have not applied', () => {
    assert.equal(appliedFingerprint(live(), 'somebody'), undefined);
  });

  it('comes with the fields that it is made of', () => {
    assert.ok(hasApplied(live(), 'us', ['metadata', 'labels', 'app']));
    assert.ok(!hasApplied(live(), 'us', ['spec', 'replicas']));
    const scaled = live();
    const entry = {
      manager: 'us',
      operation: 'Apply' as const,
      apiVersion: 'apps/v1',
      subresource: 'scale',
      fieldsV1: { 'f:spec': { 'f:replicas': {} } },
    };
    scaled.metadata.managedFields = [entry, ...(scaled.metadata.managedFields ?? [])];
    assert.ok(!hasApplied(scaled, 'us', ['spec', 'replicas']), 'what was applied to the scale is not of the object');
    assert.equal(appliedFingerprint(scaled, 'us'), appliedFingerprint(live(), 'us'));
  });
});

/** How often something is read of the entries of a list of so many, all of which are ours. */
function readsOf(entries: number): number {
  const counter = { reads: 0 };
  const names = Array.from({ length: entries }, (_, index) => `v${index}`);
  const owned = Object.fromEntries(names.map((name) => [`k:${JSON.stringify({ name })}`, { '.': {}, 'f:name': {} }]));
  const env = names.map((name) => counting({ name }, counter));
  appliedFingerprint(
    {
      apiVersion: 'v1',
      kind: 'Widget',
      metadata: { name: 'w', managedFields: [{ manager: 'm', operation: 'Apply', fieldsV1: { 'f:env': owned } }] },
      env,
    } as unknown as KubernetesObject,
    'm',
  );
  return counter.reads;
}

describe('the work of telling what was applied', () => {
  it('doubles with the entries of a list, since anybody may label an object as ours', () => {
    const reads = readsOf(100);
    assert.ok(reads > 0);
    assert.equal(readsOf(200), 2 * reads);
  });
});
