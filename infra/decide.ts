import { readDefinitions } from '../components/api/definitions.ts';
import type { InferenceStackApiArgs } from '../components/api/inference-stack-api.ts';
import { describePlan } from '../components/fleet/describe-plan.ts';
import type { FleetGuardsArgs } from '../components/guards/fleet-guards.ts';
import { checkRemoval } from '../components/fleet/removal.ts';
import { checkDowngrade, checkExistingOlm } from '../components/olm/existing.ts';
import type { OlmV1Args } from '../components/olm/olm-v1.ts';
import type { ChosenPlacement } from '../components/olm/placement.ts';
import type { InstallsAs } from '../components/olm/versions.ts';
import { pinImage } from '../components/registry/pin-image.ts';
import { refuse } from '../packages/lib/problem.ts';
import { apiArgs } from './api/api-args.ts';
import { isUpToNextPoll } from './catalog/next-poll.ts';
import { askCluster, withCluster } from './cluster/ask-cluster.ts';
import type { LiveState } from './cluster/live-state.ts';
import { inSettings } from './config/in-settings.ts';
import type { Environment, ProgramContext } from './environment.ts';
import type { OperatorImpact } from './impact/fleet-impact.ts';
import { changesApi, removalImpact } from './impact/platform-impact.ts';
import { planOperators, type PlannedFleet } from './fleet/plan-operators.ts';
import { warnOfPlacement } from './fleet/warn-of-placement.ts';
import { guardsArgs } from './guards/guards-args.ts';
import { planWriters } from './guards/plan-writers.ts';
import { imageSettings, type ImageSettings } from './images/image-settings.ts';
import { buildsController } from './images/packed-controller.ts';
import { warnOfExpiry } from './olm/expiry.ts';
import { placementOf } from './olm/placement.ts';
import { prepareOlm } from './olm/prepare-olm.ts';
import type { Log } from './log.ts';
import { installsAs, warnOfVersion } from './olm/version.ts';
import { withRegistry } from './registry.ts';

/** Everything that is decided with plain values, before anything in the cluster is registered. */
export interface Decision extends Environment, PlannedFleet {
  readonly live: LiveState;
  readonly images: ImageSettings;
  /** Undefined where an existing OLM is used. */
  readonly olm: OlmV1Args | undefined;
  /** Whose rights OLM installs operators with. */
  readonly installsAs: InstallsAs;
  /** On which nodes the settings want OLM and the operators. */
  readonly placement: ChosenPlacement;
  readonly api: InferenceStackApiArgs;
  /** Whether the planned versions are waited for. */
  readonly awaitVersions: boolean;
  /** Undefined where the settings want no guards. */
  readonly guards: FleetGuardsArgs | undefined;
  /** What becomes of the stacks of operators that get another version. */
  readonly impacts: readonly OperatorImpact[];
}

/** Reads cluster and catalog, refuses what cannot work, and says what is going to happen. */
export async function decide(
  environment: Environment,
  { preview, log, now, checkController }: Pick<ProgramContext, 'preview' | 'log' | 'now' | 'checkController'>,
): Promise<Decision> {
  const { settings, cluster } = environment;
  const warn = (message: string): void => {
    log.warn(message);
  };
  if (!preview && buildsController(settings)) refuse(checkController?.(environment.checkout) ?? []);
  const live = await askCluster(cluster, preview, warn);
  const wanted = settings.operators.map(({ major }) => major);
  const made = live.operators.filter(({ managed }) => managed).map(({ major }) => major);
  refuse([
    ...(live.known ? inSettings('olm', checkExistingOlm(settings.olm.mode, live.olm)) : []),
    ...(settings.olm.mode === 'existing' ? [] : inSettings('olm', checkDowngrade(settings.olm.version, live.olm))),
    ...checkRemoval(wanted, made, live.stacks, settings.removeMajors),
  ]);
  warnOfExpiry(settings, live, now, warn);
  warnOfVersion(settings, live, warn);
  const writers = await planWriters({ settings, cluster, live, preview, log });
  const images = imageSettings(environment);
  const placement = placementOf(settings);
  const [olm, definitions, fleet] = await Promise.all([
    prepareOlm({ ...environment, placement, live, preview, log, now }),
    readDefinitions(settings.api.modelOrchestra),
    planOperators({ ...environment, images }, live),
  ]);
  const { operators } = fleet;
  if (operators.length === 0) log.info('No operators are listed, so neither operators nor a catalog are installed.');
  for (const operator of operators) log.info(describePlan(operator));
  const impacts = await impactsOf(environment, fleet, live, log);
  const removed = made.filter((major) => !wanted.includes(major));
  for (const line of await platformImpacts(environment, { live, definitions, removed })) log.info(line);
  if (live.known) {
    await warnOfPlacement({ placement, operators, ask: (question) => withCluster(cluster, question), warn });
  }
  return {
    ...environment,
    ...fleet,
    awaitVersions: !(await isLater(environment, fleet, live, warn)),
    live,
    images,
    olm,
    installsAs: installsAs(settings, live),
    placement,
    api: apiArgs(settings.api, definitions, live, fleet),
    guards: guardsArgs(settings, live, writers),
    impacts,
  };
}

/** Whether OLM installs what was planned only after this run. Without a cluster that answers, or without operators, there is nothing to say. */
async function isLater(
  environment: Environment,
  { operators }: PlannedFleet,
  { known }: LiveState,
  warn: (message: string) => void,
): Promise<boolean> {
  if (!known || operators.length === 0) return false;
  return isUpToNextPoll({
    catalog: environment.settings.catalog,
    ask: (question) => withCluster(environment.cluster, question),
    pin: (image) => withRegistry(environment, (client) => pinImage(client, image)),
    warn,
  });
}

/** What becomes of stacks when operators go, or the API becomes another one. */
async function platformImpacts(
  { cluster }: Environment,
  {
    live,
    definitions,
    removed,
  }: Pick<Decision, 'live'> & Pick<InferenceStackApiArgs, 'definitions'> & { readonly removed: readonly number[] },
): Promise<readonly string[]> {
  const left = removalImpact(live.stacks, removed);
  if (!changesApi(live.definitions, definitions)) return left;
  const { describeApiImpact } = await import('./impact/api-impact.ts');
  return [...left, ...(await withCluster(cluster, describeApiImpact))];
}

/** Without an upgrade nothing is read or rendered, and not even the code for it is loaded. */
async function impactsOf(
  environment: Environment,
  { catalog, operators }: PlannedFleet,
  { known }: LiveState,
  log: Log,
): Promise<readonly OperatorImpact[]> {
  const changes = operators.some(({ plan: { from, to } }) => from !== undefined && from !== to);
  if (!known || catalog === undefined || !changes) return [];
  const { describeOperatorImpact, fleetImpact, upgradesIn } = await import('./impact/fleet-impact.ts');
  const impacts = await withCluster(environment.cluster, (client) =>
    fleetImpact(environment, catalog, upgradesIn(operators), client),
  );
  for (const line of impacts.flatMap(describeOperatorImpact)) log.info(line);
  return impacts;
}
