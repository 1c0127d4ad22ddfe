import { ApiError, isConflict, isNotFound } from './api-error.ts';
import type { Client } from './client.ts';
import { appliedFingerprint, desiredFingerprint } from './fingerprint.ts';
import {
  describeObject,
  objectKey,
  type KubernetesObject,
  type ObjectRef,
  type OwnerReference,
  type ResourceType,
} from './object.ts';
import type { OwnedKinds } from './owned.ts';
import { takeOver } from './take-over.ts';

/** An object that we would have to write belongs to somebody else. */
export class ForeignObjectError extends Error {
  constructor(object: KubernetesObject, whose: string) {
    super(
      `${describeObject(object)} ${whose}. Remove or rename it, or give the stack other names with fullnameOverride.`,
    );
    this.name = 'ForeignObjectError';
  }
}

export interface ApplierOptions {
  readonly client: Client;
  readonly owned: Pick<OwnedKinds, 'get' | 'typeOf' | 'remember'>;
  readonly fieldManager: string;
  /** Whether an object that nobody controls was made for the same purpose, so that it may be adopted. */
  readonly matches: (live: KubernetesObject, desired: KubernetesObject) => boolean;
}

/** Makes objects be as they are wanted by server-side apply, and writes nothing when they already are. */
export class Applier {
  readonly #options: ApplierOptions;
  /**
   * For objects whose applied form the API server stores in other words than ours: what we wanted, and the fingerprint
   * that came out of it. Without it such an object would be applied again at every look.
   */
  readonly #equivalents = new Map<string, { desired: string; live: string }>();

  constructor(options: ApplierOptions) {
    this.#options = options;
  }

  /** Whether the object is as it is wanted, as far as the store knows. */
  isApplied(desired: KubernetesObject, owner: OwnerReference | undefined): boolean {
    const object = withOwner(desired, owner);
    const key = objectKey(object.metadata);
    const live = this.#options.owned.get(object.kind, key);
    if (live === undefined || live.deleting) return false;
    return this.#same(`${object.kind}/${key}`, desiredFingerprint(object), live.fingerprint);
  }

  /** Applies the object if it differs; `owner` is the controller that it is to have, if it is to have one. */
  async apply(desired: KubernetesObject, owner: OwnerReference | undefined): Promise<'applied' | 'unchanged'> {
    if (this.isApplied(desired, owner)) return 'unchanged';
    const object = withOwner(desired, owner);
    const key = objectKey(object.metadata);
    const live = this.#options.owned.get(object.kind, key);
    if (live?.controller !== undefined && live.controller.uid !== owner?.uid) throw foreign(object, live.controller);
    const answer = await this.#write(object, live !== undefined);
    const { fingerprint } = this.#options.owned.remember(answer);
    this.#learn(`${object.kind}/${key}`, desiredFingerprint(object), fingerprint);
    return 'applied';
  }

  /** Deletes the object if `owner` controls it; what has gone or belongs to somebody else is left as it is. */
  async deleteControlled(type: ResourceType, ref: ObjectRef, owner: string): Promise<void> {
    const { client } = this.#options;
    this.#equivalents.delete(`${type.kind}/${objectKey(ref)}`);
    try {
      // The store sees only what carries our label, so the API server has to say whose it is.
      const { metadata } = await client.get(type, ref);
      const controller = metadata.ownerReferences?.find((reference) => reference.controller === true);
      if (controller?.uid !== owner) return;
      await client.delete(type, ref, { preconditions: { uid: metadata.uid } });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  /** What we have not seen before may be somebody else's, so the first write takes no field from anybody. */
  async #write(object: KubernetesObject, known: boolean): Promise<KubernetesObject> {
    const { client, owned, fieldManager } = this.#options;
    const type = owned.typeOf(object);
    if (known) return client.apply(type, object, { fieldManager, force: true });
    try {
      return await client.apply(type, object, { fieldManager });
    } catch (error) {
      if (!isConflict(error) && !hasTwoControllers(error)) throw error;
      const live = await client.get(type, object.metadata);
      this.#refuseForeign(object, live);
      await this.#adopt(type, live);
      return client.apply(type, object, { fieldManager, force: true });
    }
  }

  /** What the maker of an object had set becomes ours, so that what we do not want of it goes away. */
  async #adopt(type: ResourceType, live: KubernetesObject): Promise<void> {
    const { client, fieldManager } = this.#options;
    const managedFields = takeOver(live, fieldManager);
    if (managedFields === undefined) return;
    const { resourceVersion } = live.metadata;
    await client.mergePatch(type, live.metadata, { metadata: { resourceVersion, managedFields } }, { fieldManager });
  }

  #refuseForeign(desired: KubernetesObject, live: KubernetesObject): void {
    const wanted = desired.metadata.ownerReferences?.[0]?.uid;
    const controller = live.metadata.ownerReferences?.find((reference) => reference.controller === true);
    if (controller !== undefined && controller.uid !== wanted) throw foreign(desired, controller);
    const ours = appliedFingerprint(live, this.#options.fieldManager) !== undefined;
    if (!ours && !this.#options.matches(live, desired)) {
      throw new ForeignObjectError(desired, 'exists already and was not made for this stack');
    }
  }

  #learn(key: string, desired: string, live: string | undefined): void {
    if (live === undefined || live === desired) this.#equivalents.delete(key);
    else this.#equivalents.set(key, { desired, live });
  }

  #same(key: string, desired: string, live: string | undefined): boolean {
    if (live === desired) return true;
    const equivalent = this.#equivalents.get(key);
    return equivalent?.desired === desired && equivalent.live === live;
  }
}

function foreign(object: KubernetesObject, controller: OwnerReference): ForeignObjectError {
  return new ForeignObjectError(object, `is controlled by ${controller.kind} ${controller.name}`);
}

/** The API server lets an object have one controller, so it refuses the apply that would add a second. */
function hasTwoControllers(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    error.status === 422 &&
    error.causes.some(({ field }) => field === 'metadata.ownerReferences')
  );
}

function withOwner(object: KubernetesObject, owner: OwnerReference | undefined): KubernetesObject {
  if (owner === undefined) return object;
  return { ...object, metadata: { ...object.metadata, ownerReferences: [owner] } };
}
