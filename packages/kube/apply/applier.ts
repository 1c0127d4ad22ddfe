import { isConflict, isNotFound, isRefusal } from '../client/api-error.ts';
import type { Client } from '../client/client.ts';
import { appliedFingerprint, desiredFingerprint } from './fingerprint.ts';
import {
  controllerOf,
  describeObject,
  objectKey,
  type KubernetesObject,
  type ObjectRef,
  type OwnerReference,
  type ResourceType,
} from '../object.ts';
import type { OwnedKinds } from './owned.ts';
import { takeOver } from './take-over.ts';

/** An object that we would have to write belongs to somebody else. */
export class ForeignObjectError extends Error {
  constructor(object: KubernetesObject, whose: string, remedy: string) {
    super(`${describeObject(object)} ${whose}. ${remedy}`);
    this.name = 'ForeignObjectError';
  }
}

/** An object of an earlier owner of the same name, which has gone: the garbage collector is about to delete it. */
export class LeftoverError extends Error {
  constructor(object: KubernetesObject, { kind, name }: OwnerReference) {
    super(`${describeObject(object)} is left over from an earlier ${kind} ${name}, and will be deleted and made anew.`);
    this.name = 'LeftoverError';
  }
}

/** For whom an object is made, and whether it goes when its owner goes. */
export interface Ownership {
  readonly owner: OwnerReference;
  readonly kept: boolean;
}

export interface ApplierOptions {
  readonly client: Client;
  readonly owned: Pick<OwnedKinds, 'get' | 'typeOf' | 'remember'>;
  readonly fieldManager: string;
  /** The label whose field manager made an object and looked after it until now. */
  readonly makerLabel: string;
  /** What an object says that it was made for: one that nobody controls may be adopted for the same purpose. */
  readonly purposeOf: (object: KubernetesObject) => string | undefined;
  /** How messages name an owner: `this widget`. */
  readonly ownerNoun: string;
  /** What a person can do when an object that we want to make exists and is somebody else's: `Remove it.` */
  readonly remedyFor: (object: KubernetesObject) => string;
  /** A merge patch that removes what a live object has, the desired one must not have, and apply does not remove. */
  readonly obstacleTo?: (desired: KubernetesObject, live: KubernetesObject) => Record<string, unknown> | undefined;
}

/**
 * The version that a data store has before it holds anything. No object has it, so whatever exists conflicts with it; and what
 * is created gets a version of its own.
 */
const BEFORE_ANY_OBJECT = '1';

/** Fewer entries than this are not worth looking through. */
const SWEEP_FROM = 1000;

/** Makes objects as they are wanted, by server-side apply, and writes nothing when they already are. */
export class Applier {
  readonly #options: ApplierOptions;
  /**
   * For objects that the API server stores in another form than we applied: what we wanted, and the fingerprint of what
   * was stored. Without it, such an object would be applied again at every look.
   */
  readonly #equivalents = new Map<string, { desired: string; live: string }>();

  #sweepAt = SWEEP_FROM;

  constructor(options: ApplierOptions) {
    this.#options = options;
  }

  /** Whether the object is as it is wanted, as far as the store knows. */
  isApplied(desired: KubernetesObject, ownership: Ownership): boolean {
    const object = withOwner(desired, ownership);
    return this.#isSame(object, desiredFingerprint(object));
  }

  /** Applies the object if it differs. */
  async apply(desired: KubernetesObject, ownership: Ownership): Promise<'applied' | 'unchanged'> {
    const object = withOwner(desired, ownership);
    const wanted = desiredFingerprint(object);
    if (this.#isSame(object, wanted)) return 'unchanged';
    const key = objectKey(object.metadata);
    const live = this.#options.owned.get(object.kind, key);
    this.#refuseController(object, live?.controller, ownership.owner);
    const made = live === undefined ? await this.#make(object) : undefined;
    const answer = made ?? (await this.#changeOrClear(object, await this.#uidOf(object, live, ownership.owner)));
    const { fingerprint } = this.#options.owned.remember(answer);
    this.#learn(`${object.kind}/${key}`, wanted, fingerprint);
    return 'applied';
  }

  /** Deletes the object if `owner` controls it and it need not be spared; one that has gone or is somebody else's is left alone. */
  async deleteControlled(
    type: ResourceType,
    ref: ObjectRef,
    owner: string,
    isSpared: (live: KubernetesObject) => boolean,
  ): Promise<'done' | 'spared'> {
    const { client } = this.#options;
    this.#equivalents.delete(`${type.kind}/${objectKey(ref)}`);
    try {
      // The store sees only what carries our label, so the API server has to say whose it is.
      const live = await client.get(type, ref);
      if (controllerOf(live.metadata)?.uid !== owner) return 'done';
      if (isSpared(live)) return 'spared';
      await client.delete(type, ref, { preconditions: { uid: live.metadata.uid } });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    return 'done';
  }

  /**
   * Applies an object that the store does not know, unless it exists: the store sees only what carries our label, and an apply
   * without a conflict would silently make somebody else's object ours. Returns nothing if it exists already.
   */
  async #make(object: KubernetesObject): Promise<KubernetesObject | undefined> {
    const metadata = { ...object.metadata, resourceVersion: BEFORE_ANY_OBJECT };
    return this.#apply({ ...object, metadata }, false).catch((error: unknown) => {
      if (isConflict(error)) return undefined;
      throw error;
    });
  }

  async #apply(object: KubernetesObject, force: boolean): Promise<KubernetesObject> {
    const { client, owned, fieldManager } = this.#options;
    return client.apply(owned.typeOf(object), object, { fieldManager, force });
  }

  /** Forces the change only on the object that was checked: one that has taken its name meanwhile may be anybody's. */
  async #change(object: KubernetesObject, uid: string | undefined): Promise<KubernetesObject> {
    if (uid === undefined) return this.#apply(object, false);
    return this.#apply({ ...object, metadata: { ...object.metadata, uid } }, true);
  }

  /** Changes the object. If that is refused because of what others have set, removes that and tries once more. */
  async #changeOrClear(object: KubernetesObject, uid: string | undefined): Promise<KubernetesObject> {
    try {
      return await this.#change(object, uid);
    } catch (error) {
      if (uid === undefined || !isRefusal(error) || !(await this.#clear(object, uid))) throw error;
      return this.#change(object, uid);
    }
  }

  /** Removes what is in the way; returns whether there was something. */
  async #clear(object: KubernetesObject, uid: string): Promise<boolean> {
    const { client, owned, fieldManager, obstacleTo } = this.#options;
    const type = owned.typeOf(object);
    const live = await client.get(type, object.metadata);
    const patch = live.metadata.uid === uid ? obstacleTo?.(object, live) : undefined;
    if (patch === undefined) return false;
    const { resourceVersion } = live.metadata;
    const cleared = { ...patch, metadata: { resourceVersion } };
    this.#rememberSeen(await client.mergePatch(type, object.metadata, cleared, { fieldManager }));
    return true;
  }

  /** The uid of the existing object, so that it may be changed by force. One that is not the owner's is refused. */
  async #uidOf(
    object: KubernetesObject,
    known: { controller: OwnerReference | undefined; uid: string | undefined } | undefined,
    owner: OwnerReference,
  ): Promise<string | undefined> {
    if (known?.controller !== undefined) return known.uid;
    // An object that nobody controls says itself what it is for, so the API server has to be asked for it.
    const type = this.#options.owned.typeOf(object);
    const live = await this.#options.client.get(type, object.metadata).catch((error: unknown) => {
      if (isNotFound(error)) return undefined;
      throw error;
    });
    if (live === undefined) return undefined;
    this.#refuseForeign(object, live, owner);
    await this.#adopt(type, live);
    return live.metadata.uid;
  }

  /** Makes the fields of an object's maker ours, so that those that we do not want go away. */
  async #adopt(type: ResourceType, live: KubernetesObject): Promise<void> {
    const { client, fieldManager, makerLabel } = this.#options;
    const managedFields = takeOver(live, fieldManager, makerLabel);
    if (managedFields === undefined) return;
    const { resourceVersion } = live.metadata;
    const adopted = { metadata: { resourceVersion, managedFields } };
    this.#rememberSeen(await client.mergePatch(type, live.metadata, adopted, { fieldManager }));
  }

  /** The watch brings this write as well, and must not take it for somebody else's. What it does not see yet would never leave the store. */
  #rememberSeen(answer: KubernetesObject): void {
    const { owned } = this.#options;
    if (owned.get(answer.kind, objectKey(answer.metadata)) !== undefined) owned.remember(answer);
  }

  #refuseForeign(desired: KubernetesObject, live: KubernetesObject, owner: OwnerReference): void {
    const controller = controllerOf(live.metadata);
    this.#refuseController(desired, controller, owner);
    if (controller !== undefined) return;
    const { purposeOf, fieldManager, ownerNoun, remedyFor } = this.#options;
    const purpose = purposeOf(live);
    // What we applied and somebody stripped of its labels is still ours.
    const ours = purpose === undefined && appliedFingerprint(live, fieldManager) !== undefined;
    if (ours || (purpose !== undefined && purpose === purposeOf(desired))) return;
    throw new ForeignObjectError(desired, `was not made for ${ownerNoun}`, remedyFor(desired));
  }

  #refuseController(object: KubernetesObject, controller: OwnerReference | undefined, owner: OwnerReference): void {
    if (controller === undefined || controller.uid === owner.uid) return;
    if (isNamesake(controller, owner)) throw new LeftoverError(object, controller);
    const whose = `is controlled by ${controller.kind} ${controller.name}`;
    throw new ForeignObjectError(object, whose, this.#options.remedyFor(object));
  }

  #learn(key: string, desired: string, live: string | undefined): void {
    if (live === undefined || live === desired) {
      this.#equivalents.delete(key);
      return;
    }
    this.#equivalents.set(key, { desired, live });
    if (this.#equivalents.size >= this.#sweepAt) this.#sweep();
  }

  /** Objects that have gone leave their entries behind. */
  #sweep(): void {
    for (const id of this.#equivalents.keys()) {
      const slash = id.indexOf('/');
      if (this.#options.owned.get(id.slice(0, slash), id.slice(slash + 1)) === undefined) this.#equivalents.delete(id);
    }
    this.#sweepAt = Math.max(SWEEP_FROM, 2 * this.#equivalents.size);
  }

  #isSame({ kind, metadata }: KubernetesObject, desired: string): boolean {
    const key = objectKey(metadata);
    const live = this.#options.owned.get(kind, key);
    if (live === undefined || live.deleting) return false;
    if (live.fingerprint === desired) return true;
    const equivalent = this.#equivalents.get(`${kind}/${key}`);
    return equivalent?.desired === desired && equivalent.live === live.fingerprint;
  }
}

/** Whether two owners in one namespace have the same name: then one of them has gone. */
function isNamesake(one: OwnerReference, other: OwnerReference): boolean {
  const group = ({ apiVersion }: OwnerReference): string => apiVersion.split('/').slice(0, -1).join();
  return one.kind === other.kind && one.name === other.name && group(one) === group(other);
}

function withOwner(object: KubernetesObject, { owner, kept }: Ownership): KubernetesObject {
  if (kept) return object;
  return { ...object, metadata: { ...object.metadata, ownerReferences: [owner] } };
}
