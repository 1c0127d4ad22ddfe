import type { Client } from '../../../../packages/kube/client/client.ts';
import { isNotFound } from '../../../../packages/kube/client/api-error.ts';
import type { Logger } from '../../../../packages/kube/process/log.ts';
import { objectKey, type KubernetesObject, type ObjectRef } from '../../../../packages/kube/object.ts';
import { CLAIMS } from '../../../../packages/kube/resource-types.ts';

interface PersistentVolumeClaim extends KubernetesObject {
  spec?: { accessModes?: string[] };
}

/** How long an answer is used. Access modes never change, but a claim may be replaced, and a missing one may be created. */
const KNOWN_MS = 10 * 60_000;
export const MISSING_MS = 15_000;

/** More answers than this are forgotten and asked for again. */
const MOST_ANSWERS = 10_000;

/** Modes in which a claim is mounted on several nodes at once. */
const SHARED: ReadonlySet<string> = new Set(['ReadWriteMany', 'ReadOnlyMany']);

/** A claim that keeps old and new pods from running beside each other. */
export interface Exclusive {
  /** In words that begin a sentence. */
  readonly why: string;
  /** It does not exist: no running pod mounts it, and no new one starts before it exists. */
  readonly missing: boolean;
}

/**
 * Asks how the claims of users can be mounted. The operator watches only claims that it made itself; it gets others one by one, by the
 * names in stacks.
 */
export class ClaimModes {
  readonly #client: Pick<Client, 'get'>;
  readonly #logger: Logger;
  readonly #answers = new Map<string, { until: number; exclusive: Exclusive | undefined }>();

  constructor(client: Pick<Client, 'get'>, logger: Logger) {
    this.#client = client;
    this.#logger = logger;
  }

  /** Why two pods cannot mount the claim wherever they run, in words that begin a sentence; nothing when they can. */
  async exclusive(claim: ObjectRef, now: number): Promise<Exclusive | undefined> {
    const key = objectKey(claim);
    const known = this.#answers.get(key);
    if (known !== undefined && now < known.until) return known.exclusive;
    const modes = await this.#ask(claim);
    const exclusive = exclusiveBy(claim, modes);
    if (this.#answers.size >= MOST_ANSWERS) this.#answers.clear();
    this.#answers.set(key, { until: now + (Array.isArray(modes) ? KNOWN_MS : MISSING_MS), exclusive });
    return exclusive;
  }

  async #ask(claim: ObjectRef): Promise<readonly string[] | 'missing' | undefined> {
    try {
      const { spec } = (await this.#client.get(CLAIMS, claim)) as PersistentVolumeClaim;
      return spec?.accessModes;
    } catch (error) {
      if (isNotFound(error)) return 'missing';
      // An answer is good to have, but nothing depends on it.
      this.#logger.warn('A claim could not be read.', { claim: objectKey(claim), error });
      return undefined;
    }
  }
}

/** An unknown claim counts as exclusive: pods are then replaced more slowly than necessary, but they are replaced. */
function exclusiveBy({ name }: ObjectRef, modes: readonly string[] | 'missing' | undefined): Exclusive | undefined {
  if (modes === 'missing') return { why: `The claim ${name} does not exist`, missing: true };
  if (modes === undefined)
    return { why: `It is not known whether two pods can mount the claim ${name}`, missing: false };
  if (modes.some((mode) => SHARED.has(mode))) return undefined;
  return { why: `The claim ${name} is ${modes.join(', ')}`, missing: false };
}
