/** How long to wait before something is taken for lasting. */
export interface Patience {
  /** A new pod without a node: after this the rollout goes on in another way. */
  readonly placeMs: number;
  /** Room for one more pod: after this an application that is not changing is prepared to use it. */
  readonly roomMs: number;
  /** A change of nodes or GPUs: after this the stacks that wait for it, or follow it, are looked at. */
  readonly wakeMs: number;
  readonly tellMs: number;
}

export const DEFAULT_PATIENCE: Patience = { placeMs: 120_000, roomMs: 600_000, wakeMs: 1_000, tellMs: 30_000 };
