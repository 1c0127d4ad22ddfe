import assert from 'node:assert/strict';
import { ApiError, isConflict, isRefusal } from '../../../../../packages/kube/client/api-error.ts';
import {
  Applier,
  ForeignObjectError,
  LeftoverError,
  type ApplierOptions,
} from '../../../../../packages/kube/apply/applier.ts';
import type { ApplyOptions, Client } from '../../../../../packages/kube/client/client.ts';
import type { KubernetesObject, ManagedFields, ResourceType } from '../../../../../packages/kube/object.ts';
import type { OwnedObject } from '../../../../../packages/kube/apply/owned.ts';

const CLAIMS: ResourceType = {
  group: '',
  version: 'v1',
  kind: 'PersistentVolumeClaim',
  plural: 'persistentvolumeclaims',
  namespaced: true,
};

const UID = 'a-b-c';

function volumeClaim(stack: string | undefined): KubernetesObject {
  const labels: Record<string, string> = stack === undefined ? {} : { stack };
  const metadata = { name: 'cache', namespace: 'ns', uid: UID, labels };
  return { apiVersion: 'v1', kind: CLAIMS.kind, metadata };
}

const KNOWN: OwnedObject<unknown> = {
  resourceVersion: 5,
  uid: UID,
  fingerprint: 'of something else',
  controller: undefined,
  deleting: false,
  owner: 'InferenceStack/ns/first',
  replicasApplied: false,
  details: undefined,
};

const NAMES = {
  fieldManager: 'operator',
  makerLabel: 'app.kubernetes.io/managed-by',
  ownerNoun: 'this widget',
  remedyFor: ({ kind }: KubernetesObject) => `Rename the ${kind}.`,
};

/** Applies a claim for `second` that is to outlive it, where the live one is as given; returns the writes. */
async function applyOver(live: KubernetesObject): Promise<string[]> {
  const writes: string[] = [];
  const client = {
    get: () => Promise.resolve(live),
    mergePatch: () => {
      writes.push('patch');
      return Promise.resolve(live);
    },
    apply: (_: unknown, object: KubernetesObject) => {
      writes.push('apply');
      return Promise.resolve(object);
    },
  };
  const owned: ApplierOptions['owned'] = { get: () => KNOWN, typeOf: () => CLAIMS, remember: () => KNOWN };
  const applier = new Applier({
    client: client as unknown as Client,
    owned,
    ...NAMES,
    purposeOf: ({ metadata }) => metadata.labels?.['stack'],
  });
  const owner = { apiVersion: 'x/v1', kind: 'InferenceStack', name: 'second', uid: '2', controller: true };
  try {
    await applier.apply(volumeClaim('second'), { owner, kept: true });
  } catch (error) {
    assert.ok(error instanceof ForeignObjectError, String(error));
    assert.match(error.message, / was not made for this widget\. Rename the PersistentVolumeClaim\.$/);
    writes.push('refused');
  }
  return writes;
}

describe('the applier, of an object that the API server refuses', () => {
  const owner = { apiVersion: 'x/v1', kind: 'InferenceStack', name: 'first', uid: '1', controller: true };

  /** Applies a claim that is refused until it was patched; returns what was asked of the API server. */
  async function applyRefused(obstacle: Record<string, unknown> | undefined, uid = UID): Promise<unknown[]> {
    const requests: unknown[] = [];
    let refuses = true;
    const client = {
      get: () => Promise.resolve({ ...volumeClaim('first'), metadata: { name: 'cache', uid, resourceVersion: '5' } }),
      mergePatch: (_type: unknown, _ref: unknown, patch: unknown) => {
        requests.push(patch);
        refuses = false;
        return Promise.resolve(volumeClaim('first'));
      },
      apply: (_type: unknown, object: KubernetesObject) => {
        requests.push('apply');
        return refuses ? Promise.reject(new ApiError('PATCH', 422, { reason: 'Invalid' })) : Promise.resolve(object);
      },
    };
    const known = { ...KNOWN, controller: owner };
    const applier = new Applier({
      client: client as unknown as Client,
      owned: { get: () => known, typeOf: () => CLAIMS, remember: () => known },
      ...NAMES,
      purposeOf: () => undefined,
      obstacleTo: () => obstacle,
    });
    await applier.apply(volumeClaim('first'), { owner, kept: false }).catch(() => requests.push('refused'));
    return requests;
  }

  it('removes what is in the way and tries once more', async () => {
    assert.deepEqual(await applyRefused({ spec: { mode: null } }), [
      'apply',
      { spec: { mode: null }, metadata: { resourceVersion: '5' } },
      'apply',
    ]);
  });

  it('changes nothing where nothing is in the way', async () => {
    assert.deepEqual(await applyRefused(undefined), ['apply', 'refused']);
  });

  it('changes nothing of another object that has taken its name', async () => {
    assert.deepEqual(await applyRefused({ spec: { mode: null } }, 'another'), ['apply', 'refused']);
  });
});

describe('every write of the applier', () => {
  it('is known to the store, so that its echo is not taken for a change of somebody else', async () => {
    const owner = { apiVersion: 'x/v1', kind: 'InferenceStack', name: 'first', uid: '1', controller: true };
    const maker = { 'f:metadata': { 'f:labels': { [`f:${NAMES.makerLabel}`]: {} } } };
    let version = 5;
    const live = (): KubernetesObject => {
      const object = volumeClaim('first');
      object.metadata.resourceVersion = String(version);
      object.metadata.managedFields = [{ manager: 'helm', operation: 'Update', apiVersion: 'v1', fieldsV1: maker }];
      return object;
    };
    const write = (): Promise<KubernetesObject> => {
      version += 1;
      // Refused once, after it was adopted.
      return version === 7
        ? Promise.reject(new ApiError('PATCH', 422, { reason: 'Invalid' }))
        : Promise.resolve(live());
    };
    const known: (string | undefined)[] = [];
    const remember = ({ metadata }: KubernetesObject): typeof KNOWN => {
      known.push(metadata.resourceVersion);
      return KNOWN;
    };
    const applier = new Applier({
      client: { get: () => Promise.resolve(live()), mergePatch: write, apply: write } as unknown as Client,
      owned: { get: () => KNOWN, typeOf: () => CLAIMS, remember },
      ...NAMES,
      purposeOf: ({ metadata }) => metadata.labels?.['stack'],
      obstacleTo: () => ({ spec: { mode: null } }),
    });
    await applier.apply(volumeClaim('first'), { owner, kept: true });
    assert.deepEqual(known, ['6', '8', '9'], 'adopted, cleared, applied');
  });
});

describe('the applier, of an object that was deleted and made by somebody else before the watch told', () => {
  const owner = { apiVersion: 'x/v1', kind: 'InferenceStack', name: 'first', uid: '1', controller: true };

  it('names the one that it means, so that the API server refuses to change another', async () => {
    const applied: unknown[] = [];
    const client = {
      apply: (_type: unknown, { metadata }: KubernetesObject, { force }: ApplyOptions) => {
        applied.push({ uid: metadata.uid, force });
        return Promise.resolve(volumeClaim('first'));
      },
    };
    const known = { ...KNOWN, controller: owner };
    const applier = new Applier({
      client: client as unknown as Client,
      owned: { get: () => known, typeOf: () => CLAIMS, remember: () => known },
      ...NAMES,
      purposeOf: () => undefined,
    });
    const desired = { ...volumeClaim('first'), metadata: { name: 'cache', namespace: 'ns' } };
    await applier.apply(desired, { owner, kept: false });
    assert.deepEqual(applied, [{ uid: UID, force: true }]);
  });

  it('takes the answer for a conflict, and not for a refusal that a person has to mend', () => {
    const causes = [{ reason: 'FieldValueInvalid', message: 'field is immutable', field: 'metadata.uid' }];
    const answer = new ApiError('PATCH', 422, { reason: 'Invalid', details: { causes } });
    assert.deepEqual([isConflict(answer), isRefusal(answer)], [true, false]);
  });
});

const APPLIED_BY_US: ManagedFields[] = [
  { manager: 'operator', operation: 'Apply', apiVersion: 'v1', fieldsV1: { 'f:spec': {} } },
];

describe('the applier, of an object that it knows and nobody controls', () => {
  it('refuses what says that it is another stack’s, although it was applied by the same operator', async () => {
    const live = volumeClaim('first');
    live.metadata.managedFields = APPLIED_BY_US;
    assert.deepEqual(await applyOver(live), ['refused']);
  });

  it('refuses what does not say whose it is, unless it was applied by this operator', async () => {
    const live = volumeClaim(undefined);
    assert.deepEqual(await applyOver(live), ['refused']);
    live.metadata.managedFields = APPLIED_BY_US;
    assert.deepEqual(await applyOver(live), ['apply']);
  });

  it('applies what is the same stack’s', async () => {
    const live = volumeClaim('second');
    live.metadata.managedFields = APPLIED_BY_US;
    assert.deepEqual(await applyOver(live), ['apply']);
  });

  it('tells what an owner of the same name has left from what somebody else controls', async () => {
    const owner = { apiVersion: 'x/v1', kind: 'InferenceStack', name: 'second', uid: '2', controller: true };
    const refusalOf = async (controller: typeof owner): Promise<unknown> => {
      const owned = { get: () => ({ ...KNOWN, controller }), typeOf: () => CLAIMS, remember: () => KNOWN };
      const client = {} as Client;
      const applier = new Applier({ client, owned, ...NAMES, purposeOf: () => undefined });
      return applier.apply(volumeClaim('second'), { owner, kept: false }).catch((error: unknown) => error);
    };
    assert.ok((await refusalOf({ ...owner, apiVersion: 'x/v0', uid: '1' })) instanceof LeftoverError);
    assert.ok((await refusalOf({ ...owner, apiVersion: 'y/v1', uid: '1' })) instanceof ForeignObjectError);
    const foreign = await refusalOf({ ...owner, name: 'first', uid: '1' });
    assert.ok(foreign instanceof ForeignObjectError);
    assert.equal(
      foreign.message,
      'PersistentVolumeClaim ns/cache is controlled by InferenceStack first. Rename the PersistentVolumeClaim.',
    );
  });
});
