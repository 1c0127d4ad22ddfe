import type { AppliedDefinition } from '../components/api/inference-stack-api.ts';
import { checkout } from '../packages/lib/checkout.ts';
import { describePlan } from '../components/fleet/describe-plan.ts';
import { checkRemoval } from '../components/fleet/removal.ts';
import type { Writers } from '../components/guards/writers.ts';
import { checkDowngrade, checkExistingOlm } from '../components/olm/existing.ts';
import type { OlmV1Args } from '../components/olm/olm-v1.ts';
import type { InstallsAs } from '../components/olm/versions.ts';
import { refuse } from '../packages/lib/problem.ts';
import { readDefinitions } from './api/definitions.ts';
import type { LiveState } from './cluster/live-state.ts';
import { askTarget, findTarget, withTarget, type Target } from './cluster/target.ts';
import { loadSettings, type ConfigMap } from './config/load.ts';
import type { Settings } from './config/schema.ts';
import { planOperators, type PlannedOperators } from './fleet/plan-operators.ts';
import { warnOfPlacement } from './fleet/warn-of-placement.ts';
import { imageSettings, type ImageSettings } from './images/image-settings.ts';
import type { Log } from './log.ts';
import { placementOf } from './olm/placement.ts';
import { prepareOlm } from './olm/prepare-olm.ts';
import { warnOfExpiry } from './olm/expiry.ts';
import { installsAs, warnOfVersion } from './olm/version.ts';
import { planWriters } from './olm/plan-writers.ts';

/** What the program is told by whoever runs it. */
export interface ProgramContext {
  readonly stack: string;
  readonly config: ConfigMap;
  readonly preview: boolean;
  readonly log: Log;
  /** The time by which certificates are issued and judged. */
  readonly now: Date;
}

/** What a stack is to be, and where. */
export interface Aim {
  readonly settings: Settings;
  readonly target: Target;
}

/** Everything that is decided with plain values, before anything in the cluster is registered. */
export interface Decision extends Aim {
  readonly live: LiveState;
  readonly images: ImageSettings;
  /** Undefined where an existing OLM is used. */
  readonly olm: OlmV1Args | undefined;
  /** Whose rights OLM installs operators with. */
  readonly installsAs: InstallsAs;
  readonly definitions: readonly AppliedDefinition[];
  /** Undefined where no operators are wanted. */
  readonly planned: PlannedOperators | undefined;
  /** Undefined where no guard holds the writers of extensions to a list. */
  readonly writers: Writers | undefined;
}

/** Reads the settings, and finds the cluster that they name. */
export async function aim({ stack, config }: Pick<ProgramContext, 'stack' | 'config'>): Promise<Aim> {
  const settings = loadSettings(stack, config);
  return { settings, target: await findTarget(settings) };
}

/** Reads cluster and catalog, refuses what cannot work, and says what is going to happen. */
export async function decide(
  { settings, target }: Aim,
  { preview, log, now }: Pick<ProgramContext, 'preview' | 'log' | 'now'>,
): Promise<Decision> {
  const warn = (message: string): void => {
    log.warn(message);
  };
  const live = await askTarget(target, preview, warn);
  const wanted = settings.operators.map(({ major }) => major);
  refuse([
    ...(live.known ? checkExistingOlm(settings.olm.mode, live.olm) : []),
    ...(settings.olm.mode === 'existing' ? [] : checkDowngrade(settings.olm.version, live.olm)),
    ...checkRemoval(wanted, live.majors, live.stacks, settings.removeMajors),
  ]);
  warnOfExpiry(settings, live, now, warn);
  warnOfVersion(settings, live, warn);
  const writers = await planWriters({ settings, target, live, preview, log });
  const images = imageSettings(settings, target);
  const [olm, definitions, planned] = await Promise.all([
    prepareOlm({ settings, target, live, preview, log, now }),
    readDefinitions(checkout, settings.api.modelOrchestra),
    planOperators({ settings, target, images }, live),
  ]);
  if (planned === undefined) log.info('No operators are listed, so none is installed, and no catalog.');
  const plans = planned?.plans ?? [];
  for (const plan of plans) log.info(describePlan(plan));
  if (live.known) {
    await warnOfPlacement({
      placement: placementOf(settings),
      plans,
      ask: (question) => withTarget(target, question),
      warn,
    });
  }
  return { settings, target, live, images, olm, installsAs: installsAs(settings, live), definitions, planned, writers };
}
