import { definedOnly } from '../../../../packages/lib/values.ts';
import { DELETION_POLICY_ANNOTATION, FIELD_MANAGER, RETAIN } from '../../../../packages/api/constants.ts';
import type { ApplicationStatus } from '../../../../packages/api/types.ts';
import type { RenderedObject } from '../../../../packages/render/model.ts';
import { applicationComponent, COMPONENT_LABEL } from '../../../../packages/render/names.ts';
import { ApiError, isRefusal } from '../../../../packages/kube/client/api-error.ts';
import { ForeignObjectError, LeftoverError } from '../../../../packages/kube/apply/applier.ts';
import { objectKey, type OwnerReference } from '../../../../packages/kube/object.ts';
import { inventoryEntry, union, without } from '../inventory.ts';
import { refusal, serverFailure } from '../refusal.ts';
import { ownerReferenceTo, stackKeyOf } from '../stack-view.ts';
import { lookAgainAfter, type Outcome, type State, type World } from '../state.ts';
import { writeStatus } from '../write-status.ts';
import { report } from './report.ts';

/**
 * Writes down what is about to be made, so that nothing is ever made that the inventory does not name. A new stack has nothing
 * else to report yet, so it gets its whole status here, and no other write after its objects were made.
 */
export async function declare(state: State, world: World): Promise<Outcome> {
  const { status = {} } = state.stack;
  const before = status.inventory ?? [];
  const wanted = (state.rendered?.objects ?? []).map(inventoryEntry);
  state.draft.inventory = union(wanted, before);
  if (status.observedGeneration === undefined) {
    await report(state, world);
    return 'next';
  }
  const { claim = status.claim, defaults, inventory } = state.draft;
  // Only additions need to be written ahead; the order and what is gone can wait for the report.
  const known = without(wanted, before).length === 0;
  const declared = { claim, defaults, inventory: known ? status.inventory : inventory };
  await writeStatus(state, world, definedOnly({ ...status, ...declared, applications: withRollouts(state) }));
  if (claim !== undefined) state.draft.claim = claim;
  return 'next';
}

/**
 * The applications with the rollout strategy that was chosen for what is about to be applied. If only the report wrote it, a
 * rollout whose report fails would continue with the strategy of the one before, and end pods that should serve until the new
 * ones do.
 */
function withRollouts({ stack, rollouts }: State): Record<string, ApplicationStatus> | undefined {
  const before = stack.status?.applications;
  const chosen = [...rollouts.choices].filter(([name, { strategy }]) => before?.[name]?.rollout !== strategy);
  if (chosen.length === 0) return before;
  const news = chosen.map(([name, { strategy, reason }]): [string, ApplicationStatus] => [
    name,
    { ...before?.[name], rollout: strategy, rolloutReason: reason },
  ]);
  return { ...before, ...Object.fromEntries(news) };
}

/**
 * Applies what differs. An object that the API server refuses does not keep the rest from being applied. Applications whose change has to
 * wait stay as they are.
 */
export async function apply(state: State, world: World): Promise<Outcome> {
  const owner = ownerReferenceTo(state.stack);
  const held = new Set([...state.rollouts.held.keys()].map(applicationComponent));
  for (const object of state.rendered?.objects ?? []) {
    if (held.has(object.metadata.labels[COMPONENT_LABEL] ?? '')) {
      state.unapplied.push(object);
      continue;
    }
    try {
      await state.turn.yieldIfDue();
      await handOverReplicas(object, owner, world);
      await world.applier.apply(object, { owner, kept: isRetained(object) });
    } catch (error) {
      if (error instanceof LeftoverError) state.leftovers.push(error);
      else if (error instanceof ForeignObjectError) state.failures.push(error);
      else if (error instanceof ApiError && isRefusal(error)) state.failures.push(refusal(object, error));
      else {
        if (error instanceof ApiError) state.interruption = serverFailure('apply', object, error);
        throw error;
      }
      state.unapplied.push(object);
    }
  }
  letGoOfRefused(state, world);
  if (state.leftovers.length > 0) lookAgainAfter(state, LEFTOVERS_MS);
  return 'next';
}

/**
 * Gives up what is reserved for a Deployment that was refused. It makes no pods, and nobody else could use the GPUs until its author
 * corrects the spec.
 */
function letGoOfRefused({ stack, unapplied, rollouts }: State, { devices }: World): void {
  const refused = new Set(
    unapplied.filter(({ kind }) => kind === 'Deployment').map(({ metadata }) => metadata.labels[COMPONENT_LABEL]),
  );
  const isRefused = (application: string): boolean => refused.has(applicationComponent(application));
  if (!rollouts.slots.some(({ application }) => isRefused(application))) return;
  devices.reserve(
    stackKeyOf(stack),
    rollouts.slots.filter(({ application }) => !isRefused(application)),
  );
}

/** When to look again for leftovers. The watches report most that go; this is for one whose end they do not report. */
const LEFTOVERS_MS = 2_000;

/** Holds the number of pods while it belongs neither to us nor yet to the scaler. */
const HANDOVER_MANAGER = `${FIELD_MANAGER}-handover`;

/**
 * A field that its only manager no longer applies is removed, and `replicas` then falls back to 1. So before the scaler
 * gets it, the present number is pinned under another name, which any scaler may overwrite.
 */
async function handOverReplicas(
  object: RenderedObject,
  owner: OwnerReference,
  { owned, client }: World,
): Promise<void> {
  const { spec } = object as { spec?: { replicas?: number } };
  if (object.kind !== 'Deployment' || spec?.replicas !== undefined) return;
  const live = owned.get('Deployment', objectKey(object.metadata));
  if (live?.replicasApplied !== true || live.controller?.uid !== owner.uid) return;
  const { apiVersion, kind, metadata } = object;
  // A suspended application has none; it comes back with one, and the scaler takes it from there.
  const replicas = Math.max(1, live.details?.replicas ?? 1);
  const pin = {
    apiVersion,
    kind,
    metadata: { name: metadata.name, namespace: metadata.namespace, ...definedOnly({ uid: live.uid }) },
    spec: { replicas },
  };
  owned.remember(await client.apply(owned.typeOf(object), pin, { fieldManager: HANDOVER_MANAGER, force: true }));
}

/** Only claims are kept: users write the annotations of other objects, and could keep anything for ever. */
export function isRetained({ kind, metadata }: RenderedObject): boolean {
  return kind === 'PersistentVolumeClaim' && metadata.annotations?.[DELETION_POLICY_ANNOTATION] === RETAIN;
}
