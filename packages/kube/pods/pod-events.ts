import { definedOnly } from '../../lib/values.ts';
import { sentences } from '../../lib/message.ts';
import type { Client } from '../client/client.ts';
import { EVENTS } from '../events.ts';
import type { Logger } from '../process/log.ts';
import type { KubernetesObject } from '../object.ts';
import type { PodQuestion } from './pod-question.ts';

interface PodEvent extends KubernetesObject {
  reason?: string;
  message?: string;
  lastTimestamp?: string | null;
  eventTime?: string | null;
}

/** How long an answer is used before the API server is asked again. */
export const ASK_AGAIN_MS = 15_000;

/** A kubelet repeats what still holds at least every two minutes: what is older has passed. */
const FRESH_MS = 5 * 60_000;

/** Nobody reads more of an Event. Tenants may write Events too, and fifty of a megabyte each would be in memory for every worker. */
const MESSAGE_LIMIT = 1024;

/** What kubelets say after a long wait; earlier Events say what they wait for. */
const GENERIC = /^Unable to attach or mount volumes/;

/** This need not be why a pull failed, since images may be pulled without a Secret. The reason is reported before it. */
const PULL_SECRETS = /^Unable to retrieve some image pull secrets \(([^)]*)\).*$/;

/** Asks for the Events about single pods, for each pod only now and then. */
export class PodEvents {
  readonly #client: Pick<Client, 'listEach'>;
  readonly #logger: Logger;
  readonly #answers = new Map<string, { at: number; answer: string | undefined }>();

  constructor(client: Pick<Client, 'listEach'>, logger: Logger) {
    this.#client = client;
    this.#logger = logger;
  }

  /** What the Events say, in a sentence; nothing when they say nothing, or cannot be read. */
  async answer(question: PodQuestion, now: number): Promise<string | undefined> {
    const known = this.#answers.get(question.uid);
    if (known !== undefined && now - known.at < ASK_AGAIN_MS) return known.answer;
    for (const [uid, { at }] of this.#answers) if (now - at > FRESH_MS) this.#answers.delete(uid);
    const answer = await this.#ask(question, now);
    this.#answers.set(question.uid, { at: now, answer });
    return answer;
  }

  async #ask({ uid, name, namespace, reason, past }: PodQuestion, now: number): Promise<string | undefined> {
    const selector = definedOnly({ 'involvedObject.uid': uid, type: 'Warning', reason });
    const fieldSelector = Object.entries(selector)
      .map(([field, value]) => `${field}=${value}`)
      .join();
    try {
      const events: PodEvent[] = [];
      const keep = (item: KubernetesObject): void => void events.push(brief(item));
      await this.#client.listEach(EVENTS, { namespace, fieldSelector, limit: 50 }, keep);
      return summarizeEvents(events, now, past);
    } catch (error) {
      // An explanation is good to have, but nothing depends on it.
      this.#logger.warn('The Events of a pod could not be read.', { pod: `${namespace}/${name}`, error });
      return undefined;
    }
  }
}

/** The parts of an Event that are used, so that the rest can be freed while others arrive. */
export function brief({ apiVersion, kind, metadata, ...event }: PodEvent): PodEvent {
  const { name, creationTimestamp } = metadata;
  const { message, lastTimestamp, eventTime } = event;
  return definedOnly({
    apiVersion,
    kind,
    metadata: definedOnly({ name, creationTimestamp }),
    message: copied(message),
    lastTimestamp,
    eventTime,
  });
}

/** A part of a text keeps the whole of it in memory unless it is copied. */
function copied(text: string | undefined): string | undefined {
  return text === undefined ? undefined : Buffer.from(text.slice(0, MESSAGE_LIMIT)).toString();
}

/**
 * What Events say just now, each thing once and in a stable order, so that the status does not flicker. Those that begin with `past` are left
 * out.
 */
export function summarizeEvents(events: readonly PodEvent[], now: number, past?: string): string | undefined {
  const fresh = events.filter((event) => now - timeOf(event) < FRESH_MS);
  const texts = fresh
    .flatMap(({ message }) => message ?? [])
    .filter((text) => past === undefined || !text.startsWith(past));
  const messages = [...new Set(texts.map(inOurWords))].sort();
  const specific = messages.filter((message) => !GENERIC.test(message));
  const chosen = specific.length > 0 ? specific : messages;
  return chosen.length === 0 ? undefined : sentences(chosen);
}

function inOurWords(message: string): string {
  return message.replace(PULL_SECRETS, 'missing pull secrets: $1').trim();
}

function timeOf({ lastTimestamp, eventTime, metadata }: PodEvent): number {
  return Date.parse(lastTimestamp ?? eventTime ?? metadata.creationTimestamp ?? '');
}
