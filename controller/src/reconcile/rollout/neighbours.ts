import type { StringMap } from '../../../../packages/api/types.ts';
import { isObject, listAt, objectsAt } from '../../../../packages/lib/json.ts';
import type { BitSet } from '../../../../packages/kube/placement/bit-set.ts';
import { LabelIndex } from '../../../../packages/kube/placement/label-index.ts';
import { selected, withLabel } from '../../../../packages/kube/placement/match.ts';
import { requirementOf } from '../../../../packages/kube/placement/placement.ts';
import { hostPortsOf, type PodTemplate } from './pod-template.ts';

/** Pods of one component of a stack, and where they run. */
export interface Neighbour {
  readonly component: string;
  readonly template: PodTemplate;
  /** How many of them run on which node, by its position. */
  readonly pods: ReadonlyMap<number, number>;
}

/** How anti-affinity and spread constraints select pods. */
export interface PodSelector {
  readonly labelSelector?: unknown;
  readonly matchLabelKeys?: unknown;
  readonly mismatchLabelKeys?: unknown;
}

/** A label that Kubernetes gives to pods: those of an earlier configuration have another value. */
const REVISION = 'pod-template-hash';

/** The pods of a stack that a new pod of the stack may have to keep away from. */
export class Neighbours {
  readonly #all: readonly Neighbour[];
  readonly #index: LabelIndex<{ readonly labels: StringMap }>;
  readonly #positions = new Map<string, number>();
  readonly #byPort = new Map<string, Neighbour[]>();
  readonly #answers = new Map<string, BitSet>();

  constructor(neighbours: readonly Neighbour[]) {
    this.#all = neighbours;
    this.#index = new LabelIndex(neighbours.map(({ template }) => template));
    for (const [position, neighbour] of neighbours.entries()) {
      this.#positions.set(neighbour.component, position);
      for (const port of hostPortsOf(neighbour.template)) {
        const others = this.#byPort.get(port);
        if (others === undefined) this.#byPort.set(port, [neighbour]);
        else others.push(neighbour);
      }
    }
  }

  /** Answers each question once, since most applications have their rules from the template. Do not change the set. */
  once(question: unknown, answer: () => BitSet): BitSet {
    const key = JSON.stringify(question);
    const known = this.#answers.get(key) ?? answer();
    this.#answers.set(key, known);
    return known;
  }

  /** Those whose pods take a port of their node. */
  atPort(port: string): readonly Neighbour[] {
    return this.#byPort.get(port) ?? [];
  }

  /** Those whose present pods a selector in a new pod's template selects. */
  selectedFor({ labels }: PodTemplate, selector: PodSelector): readonly Neighbour[] {
    const set = this.#select(selector.labelSelector).copy();
    for (const key of stringsIn(selector.matchLabelKeys)) {
      if (key === REVISION) return [];
      if (labels[key] !== undefined) set.keepOnly(withLabel(this.#index, key, labels[key]));
    }
    for (const key of stringsIn(selector.mismatchLabelKeys)) {
      if (labels[key] !== undefined) set.removeAll(withLabel(this.#index, key, labels[key]));
    }
    return [...set.positions()].flatMap((position) => this.#all[position] ?? []);
  }

  /** Whether pods of a component are selected, whatever their configuration. */
  selects(component: string, { labelSelector }: PodSelector): boolean {
    const position = this.#positions.get(component);
    return position !== undefined && this.#select(labelSelector).has(position);
  }

  /** An empty selector selects everything, and a missing one nothing. */
  #select(labelSelector: unknown): BitSet {
    if (!isObject(labelSelector)) return this.#index.nothing;
    const { matchLabels, matchExpressions } = labelSelector;
    const expressions = objectsAt(matchExpressions).map(requirementOf);
    return selected(this.#index, {
      nodeSelector: isObject(matchLabels) ? (matchLabels as StringMap) : {},
      terms: expressions.length === 0 ? [] : [{ matchExpressions: expressions }],
    });
  }
}

/** Values of those labels of a pod that a selector names. */
export function ownLabels({ labels }: PodTemplate, selector: PodSelector): readonly (string | undefined)[] {
  const keys = [...stringsIn(selector.matchLabelKeys), ...stringsIn(selector.mismatchLabelKeys)];
  return keys.map((key) => labels[key]);
}

function stringsIn(value: unknown): string[] {
  return listAt(value).filter((item) => typeof item === 'string');
}
