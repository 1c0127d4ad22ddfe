import { readEnvironment, type Environment } from '../../infra/environment.ts';
import { askCluster, withCluster } from '../../infra/cluster/ask-cluster.ts';
import { readPulumiConfig } from '../../infra/config/environment-file.ts';
import { environmentFileName } from '../../infra/config/project.ts';
import { planOperators } from '../../infra/fleet/plan-operators.ts';
import {
  describeOperatorImpact,
  fleetImpact,
  installedOf,
  upgradesIn,
  type OperatorImpact,
} from '../../infra/impact/fleet-impact.ts';
import { describeApiImpact } from '../../infra/impact/api-impact.ts';
import { changesApi, guardImpact, removalImpact } from '../../infra/impact/platform-impact.ts';
import { decisiveGap } from '../../components/impact/upgrade/describe-impact.ts';
import { readDefinitions } from '../../components/api/definitions.ts';
import type { LiveState } from '../../infra/cluster/live-state.ts';
import { imageSettings } from '../../infra/images/image-settings.ts';
import { checkout } from '../../packages/lib/checkout.ts';
import type { Io } from '../io.ts';
import { openEnvironmentFile } from '../environment/environment-file.ts';

/** The options of `fleet impact`. */
export interface ImpactOptions {
  readonly environment: string;
  /** The settings to use in place of `Pulumi.<environment>.yaml`. */
  readonly config?: string | undefined;
  readonly output: 'table' | 'json';
}

/** `fleet impact`: exits with 1 if something would be refused, or is not known. */
export async function run(options: ImpactOptions, io: Io): Promise<number> {
  const environment = await environmentOf(options, io);
  // Unlike a preview, it has nothing to say without a cluster.
  const live = await askCluster(environment.cluster, false, (message) => {
    io.err(`${message}\n`);
  });
  const { catalog, operators } = await planOperators({ ...environment, images: imageSettings(environment) }, live);
  // A version that is built from a checkout can be another one under the same number.
  const asked = catalog?.origin.source === 'checkout' ? installedOf(operators) : upgradesIn(operators);
  const impacts =
    catalog === undefined || asked.length === 0
      ? []
      : await withCluster(environment.cluster, (client) => fleetImpact(environment, catalog, asked, client));
  const platform = await platformNotes(environment, live);
  const report = { operators: impacts, platform };
  io.out(options.output === 'json' ? `${JSON.stringify(report, undefined, 2)}\n` : asLines(impacts, platform));
  return impacts.some(needsAttention) ? 1 : 0;
}

async function environmentOf({ environment, config }: ImpactOptions, io: Io): Promise<Environment> {
  const { text } = await openEnvironmentFile(io, checkout, { environment, configFile: config });
  const settings = readPulumiConfig(text, config ?? environmentFileName(environment));
  return readEnvironment({ environment, config: settings, checkout });
}

/** What becomes of stacks besides: by operators that go, by the guards, and by another API. */
async function platformNotes({ settings, cluster }: Environment, live: LiveState): Promise<readonly string[]> {
  const majors = settings.operators.map(({ major }) => major);
  const removed = live.operators.filter(({ managed, major }) => managed && !majors.includes(major));
  const definitions = await readDefinitions(settings.api.modelOrchestra);
  return [
    ...removalImpact(
      live.stacks,
      removed.map(({ major }) => major),
    ),
    ...guardImpact(live.stacks, { majors, guards: settings.guards }),
    ...(changesApi(live.definitions, definitions) ? await withCluster(cluster, describeApiImpact) : []),
  ];
}

const NO_UPGRADE = 'No installed operator gets another version, so no pods are replaced.';

function asLines(impacts: readonly OperatorImpact[], notes: readonly string[]): string {
  const upgrades = impacts.length === 0 ? [NO_UPGRADE] : impacts.flatMap(describeOperatorImpact);
  return [...upgrades, ...notes].map((line) => `${line}\n`).join('');
}

function needsAttention({ impact }: OperatorImpact): boolean {
  if (impact === undefined || decisiveGap(impact) !== undefined) return true;
  return impact.affected.some(({ kind }) => kind === 'refused');
}
