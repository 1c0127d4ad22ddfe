import { ProblemsError } from '../../packages/lib/problem.ts';
import { audit, type Overrides } from '../../policies/audit/audit.ts';
import { collect } from '../../policies/audit/collect.ts';
import { formatReport } from '../../policies/audit/format.ts';
import { stageOf, type Stage } from '../../policies/knowledge/levels.ts';
import { RULES } from '../../policies/rules/index.ts';
import { CLUSTER_OPTIONS, CLUSTER_USAGE, withCluster, type ClusterChoice } from '../cluster-options.ts';
import { UsageError } from '../command.ts';
import type { Io } from '../io.ts';
import { parseOptions } from '../options.ts';

const USAGE = `Usage: fleet audit [options]

Judges a live cluster by the rules of the policy pack. Exit code 1 when a mandatory one is broken.

${CLUSTER_USAGE}
  --stage prod|dev   which levels hold; default that of the stack, and prod without one
  --config FILE      levels and settings, as for pulumi's --policy-pack-config
  -o table|json      default table`;

/** `fleet audit` */
export async function run(args: string[], io: Io): Promise<number> {
  const options = readOptions(args);
  const overrides = options.config === undefined ? {} : readOverrides(await io.read(options.config), options.config);
  const report = audit(RULES, await withCluster(options, io, collect), options.stage, overrides);
  io.out(options.output === 'json' ? `${JSON.stringify(report, undefined, 2)}\n` : formatReport(report, options));
  return report.mandatory > 0 ? 1 : 0;
}

interface Options extends ClusterChoice {
  readonly config: string | undefined;
  readonly stage: Stage;
  /** How to choose other levels. */
  readonly choice: string | undefined;
  readonly output: 'table' | 'json';
}

function readOptions(args: string[]): Options {
  const values = parseOptions(args, OPTIONS, USAGE);
  const { output = 'table', stack, kubeconfig, context, config } = values;
  const { stage = stack === undefined ? 'prod' : stageOf(stack) } = values;
  if (stage !== 'prod' && stage !== 'dev') throw new UsageError(`--stage is ${stage}: use prod or dev.`, USAGE);
  if (output !== 'table' && output !== 'json') throw new UsageError(`-o is ${output}: use table or json.`, USAGE);
  const choice = values.stage === undefined ? otherLevels({ stack, kubeconfig, context }) : undefined;
  return { stack, kubeconfig, context, config, stage, choice, output };
}

/** A stack brings its cluster along: whoever named a cluster keeps it by naming the stage. */
function otherLevels({ stack, kubeconfig, context }: ClusterChoice): string | undefined {
  if (stack !== undefined) return undefined;
  if (kubeconfig !== undefined || context !== undefined) return 'Those of development: --stage dev.';
  return 'Those of another stack, in its cluster: STACK=dev. In this cluster: ARGS="--stage dev".';
}

const OPTIONS = {
  ...CLUSTER_OPTIONS,
  config: { type: 'string' },
  stage: { type: 'string' },
  output: { type: 'string', short: 'o' },
} as const;

const LEVELS: readonly unknown[] = ['mandatory', 'advisory', 'disabled'];

/** Checks names and levels, so that a slip of the pen does not switch off nothing in silence. */
function readOverrides(text: string, file: string): Overrides {
  const overrides = JSON.parse(text) as Record<string, unknown>;
  const problems = Object.entries(overrides).flatMap(([name, override]) => {
    const level: unknown =
      typeof override === 'object' && override !== null ? Reflect.get(override, 'enforcementLevel') : override;
    if (!RULES.some((rule) => rule.name === name)) {
      const remedy = `Use one of ${RULES.map((rule) => rule.name).join(', ')}.`;
      return [{ object: file, path: name, message: 'is not a rule', remedy }];
    }
    if (level === undefined || LEVELS.includes(level)) return [];
    return [{ object: file, path: name, value: level, message: 'is not a level', remedy: `Use ${LEVELS.join(', ')}.` }];
  });
  if (problems.length > 0) throw new ProblemsError(problems);
  return overrides as Overrides;
}
