import { definedOnly } from '../../../../packages/lib/values.ts';
import { DELETION_POLICY_ANNOTATION, FIELD_MANAGER, RETAIN } from '../../../../packages/api/constants.ts';
import type { RenderedObject } from '../../../../packages/render/model.ts';
import { applicationComponent, COMPONENT_LABEL } from '../../../../packages/render/names.ts';
import { ApiError, isRefusal } from '../../../../packages/kube/client/api-error.ts';
import { ForeignObjectError, LeftoverError } from '../../../../packages/kube/apply/applier.ts';
import { objectKey, type OwnerReference } from '../../../../packages/kube/object.ts';
import { refusal, serverFailure } from '../refusal.ts';
import { ownerReferenceTo, stackKeyOf } from '../stack-view.ts';
import { lookAgainAfter, type Outcome, type State, type World } from '../state.ts';

/**
 * Applies what differs. An object that the API server refuses does not keep the rest from being applied. Applications whose change has to
 * wait stay as they are.
 */
export async function apply(state: State, world: World): Promise<Outcome> {
  const owner = ownerReferenceTo(state.stack);
  const { held: waiting, keepsNames } = state.rollouts;
  const held = new Set([...waiting.keys()].map(applicationComponent));
  for (const object of state.rendered?.objects ?? []) {
    if (keepsNames !== undefined || held.has(object.metadata.labels[COMPONENT_LABEL] ?? '')) {
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
 * corrects the spec. Each try reserves them anew, and is no news to others: stacks that are refused would wake each other without end.
 */
function letGoOfRefused({ stack, unapplied, rollouts, reservedBefore }: State, { devices }: World): void {
  const refused = new Set(
    unapplied.filter(({ kind }) => kind === 'Deployment').map(({ metadata }) => metadata.labels[COMPONENT_LABEL]),
  );
  const isRefused = (application: string): boolean => refused.has(applicationComponent(application));
  if (!rollouts.slots.some(({ application }) => isRefused(application))) return;
  devices.reserve(
    stackKeyOf(stack),
    rollouts.slots.filter(({ application }) => !isRefused(application)),
    reservedBefore,
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
