import type { Ingress } from '../../../packages/api/types.ts';
import { names } from '../../../packages/lib/message.ts';
import type { Problem } from '../../../packages/lib/problem.ts';
import type { Client } from '../../../packages/kube/client/client.ts';
import type { Logger } from '../../../packages/kube/process/log.ts';
import type { KubernetesObject, ResourceType } from '../../../packages/kube/object.ts';

export const INGRESS_CLASSES: ResourceType = {
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'IngressClass',
  plural: 'ingressclasses',
  namespaced: false,
};

/** How long an answer is used before the API server is asked again. */
export const ASK_CLASSES_AGAIN_MS = 15_000;

/** Asks for the IngressClasses of the cluster only now and then, since few stacks have an Ingress and classes hardly change. */
export class IngressClasses {
  readonly #client: Client;
  readonly #logger: Logger;
  #known: { readonly at: number; readonly classes: Promise<readonly KubernetesObject[] | undefined> } | undefined;

  constructor(client: Client, logger: Logger) {
    this.#client = client;
    this.#logger = logger;
  }

  /** Nothing when they cannot be read. */
  async list(now: number): Promise<readonly KubernetesObject[] | undefined> {
    if (this.#known === undefined || now - this.#known.at >= ASK_CLASSES_AGAIN_MS) {
      this.#known = { at: now, classes: this.#ask() };
    }
    return this.#known.classes;
  }

  async #ask(): Promise<readonly KubernetesObject[] | undefined> {
    try {
      return await this.#client.listAll(INGRESS_CLASSES);
    } catch (error) {
      // A hint is good to have, but nothing depends on it.
      this.#logger.warn('The IngressClasses could not be read.', { error });
      return undefined;
    }
  }
}

const PATH = 'spec.gateway.ingress.className';
const DEFAULT = 'ingressclass.kubernetes.io/is-default-class';
/** The annotation that named a class before IngressClasses existed. Whoever uses it knows a controller that reads it. */
const EARLIER = 'kubernetes.io/ingress.class';

/** Why no controller will serve an Ingress, if so. */
export function ingressClassProblem(ingress: Ingress, classes: readonly KubernetesObject[]): Problem | undefined {
  if (ingress.enabled !== true || ingress.annotations?.[EARLIER] !== undefined) return undefined;
  const { className = '' } = ingress;
  const known = classes.map(({ metadata }) => metadata.name).sort();
  const remedy = known.length === 0 ? 'It has none: install an ingress controller.' : `It has ${names(known)}.`;
  if (className !== '') {
    if (known.includes(className)) return undefined;
    return { path: PATH, value: className, message: 'is not an IngressClass of the cluster', remedy };
  }
  if (classes.some(({ metadata }) => metadata.annotations?.[DEFAULT] === 'true')) return undefined;
  return { path: PATH, message: 'is missing, and no IngressClass of the cluster is the default', remedy };
}
