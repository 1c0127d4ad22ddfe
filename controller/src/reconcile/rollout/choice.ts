import { shortened, names } from '../../../../packages/lib/message.ts';
import type { RolloutStrategy } from '../../../../packages/render/model.ts';
import type { Capacity } from '../gpu/capacity.ts';
import { deviceName, whyNone } from '../gpu/describe.ts';
import { placedPods, type LiveApplication } from '../live-application.ts';
import { whyNowhere } from '../../../../packages/kube/placement/misplaced.ts';
import type { Exclusive } from './claim-modes.ts';
import type { Need } from './need.ts';

/** The way in which pods are replaced, and why, in a sentence. */
export interface Choice {
  readonly strategy: RolloutStrategy;
  readonly reason: string;
}

/** What is best just now. */
export interface Advice extends Choice {
  /** Set where no node would take a new pod even if the old ones were gone: what runs must stay. */
  readonly hold?: Hold;
}

/** Why a change has to wait. */
export interface Hold {
  readonly why: string;
  /** Whether GPUs are what is missing. */
  readonly lacksGpus: boolean;
}

export interface Situation {
  readonly application: LiveApplication;
  readonly need: Need;
  readonly capacity: Capacity;
  /** A volume that the old and the new pod cannot share. */
  readonly exclusive: Exclusive | undefined;
  /** Whether every pod that is wanted has its GPUs, or finds them. */
  readonly complete: boolean;
}

/** The new pod first if there is room for it; else one after the other; else the old ones go before the new one comes. */
export function adviseRollout(situation: Situation): Advice {
  const { application, need, exclusive, complete } = situation;
  const { found, forbiddenBy } = need.room();
  if (exclusive === undefined && found && complete) return { strategy: 'surge', reason: roomReason(situation) };
  const runs = placedPods(application).length > 0;
  if (runs && application.replicas > 0 && exclusive?.missing === true) {
    const reason = `${exclusive.why}, so the old pods stay until the new one runs.`;
    const hold = `Application ${application.name} stays as it was: ${exclusive.why.replace(/^T/, 't')}.`;
    return { strategy: 'surge', reason, hold: { why: shortened(hold), lacksGpus: false } };
  }
  // An application that should have no pods waits for none.
  if (runs && application.replicas > 0 && !need.fitsWithout('all')) {
    const reason = 'No node would take a new pod even without the old ones, so those stay until the new one runs.';
    const lacksGpus = need.gpu !== undefined && need.beyond === undefined;
    return { strategy: 'surge', reason, hold: { why: holdReason(situation), lacksGpus } };
  }
  const why = exclusive?.why ?? noRoomReason(situation, forbiddenBy);
  const oneByOne = exclusive === undefined && application.replicas > 1 && (!runs || need.fitsWithout('one'));
  return oneByOne
    ? { strategy: 'inPlace', reason: shortened(`${why}, so a change replaces the pods one at a time.`) }
    : { strategy: 'recreate', reason: shortened(`${why}, so a change ends the old pod before the new one starts.`) };
}

function roomReason({ need: { gpu, placement } }: Situation): string {
  if (gpu === undefined) return 'The application asks for no GPU.';
  return `A node has ${gpu.count} more free ${deviceName({ gpu, placement })} for a new pod.`;
}

function noRoomReason({ need: { gpu, placement } }: Situation, forbiddenBy: readonly string[]): string {
  if (forbiddenBy.length > 0) return `Its ${names(forbiddenBy)} keeps a new pod from every node with room`;
  if (gpu === undefined) return 'No node takes a new pod beside the old one';
  return `No matching node has ${gpu.count} more free ${deviceName({ gpu, placement })}`;
}

/** Why nothing changes, for people who wait for the change. */
function holdReason({ application, need, capacity }: Situation): string {
  const { gpu, placement, nodes, beyond } = need;
  const beginning = `Application ${application.name} stays as it was: even without its pods `;
  if (beyond !== undefined) return shortened(`${beginning}no matching node has that much ${beyond}.`);
  if (gpu === undefined) return shortened(`${beginning}${whyNowhere(placement, capacity, beginning.length)}.`);
  const lack = `${beginning}no node has ${gpu.count} free ${deviceName({ gpu, placement })}: `;
  return shortened(`${lack}${whyNone({ gpu, placement }, capacity, nodes, lack.length, need.freed)}.`);
}
