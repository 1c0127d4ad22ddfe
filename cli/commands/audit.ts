import { isObject } from '../../packages/lib/json.ts';
import { ProblemsError } from '../../packages/lib/problem.ts';
import { readJson } from '../../packages/lib/read-json.ts';
import { closestName } from '../../packages/lib/similar.ts';
import { audit, type Overrides } from '../../policies/audit/audit.ts';
import { collect } from '../../policies/audit/collect.ts';
import { formatReport } from '../../policies/audit/format.ts';
import { stageOf, type Stage } from '../../policies/knowledge/levels.ts';
import { RULES } from '../../policies/rules/index.ts';
import { withCluster, type ClusterChoice } from '../cluster-options.ts';
import type { Io } from '../io.ts';

/** The options of `fleet audit`. */
export interface AuditOptions extends ClusterChoice {
  readonly config?: string | undefined;
  readonly stage?: Stage | undefined;
  readonly output: 'table' | 'json';
}

/** `fleet audit` */
export async function run(options: AuditOptions, io: Io): Promise<number> {
  const { environment, config, output } = options;
  const { stage = environment === undefined ? 'prod' : stageOf(environment) } = options;
  const overrides = config === undefined ? {} : readOverrides(await io.read(config), config);
  const report = audit(RULES, await withCluster(options, io, collect), stage, overrides);
  const choice = options.stage === undefined ? otherLevels(options) : undefined;
  io.out(output === 'json' ? `${JSON.stringify(report, undefined, 2)}\n` : formatReport(report, { config, choice }));
  return report.mandatory > 0 ? 1 : 0;
}

/** An environment also chooses its cluster, so somebody who named a cluster is offered the stage instead. */
function otherLevels({ environment, kubeconfig, context }: ClusterChoice): string | undefined {
  if (environment !== undefined) return undefined;
  if (kubeconfig !== undefined || context !== undefined) return 'For the levels of development: --stage dev.';
  return 'For another environment and its cluster: ENV=dev. For the levels of development in this cluster: ARGS="--stage dev".';
}

const LEVELS: readonly unknown[] = ['mandatory', 'advisory', 'disabled'];

/** Checks names and levels: otherwise a typo would silently change nothing. */
function readOverrides(text: string, file: string): Overrides {
  const overrides = readJson(text, file);
  if (!isObject(overrides)) {
    const remedy = 'Write { "<rule>": "advisory" }, with a level for each rule that is to have another.';
    throw new ProblemsError([{ object: file, path: '', value: overrides, message: 'must be a map', remedy }]);
  }
  const problems = Object.entries(overrides).flatMap(([name, override]) => {
    const level: unknown =
      typeof override === 'object' && override !== null ? Reflect.get(override, 'enforcementLevel') : override;
    if (!RULES.some((rule) => rule.name === name)) {
      const names = RULES.map((rule) => rule.name);
      const meant = closestName(name, names);
      const remedy = meant === undefined ? `Use one of ${names.join(', ')}.` : `Did you mean ${meant}?`;
      return [{ object: file, path: name, message: 'is not a rule', remedy }];
    }
    if (level === undefined || LEVELS.includes(level)) return [];
    return [{ object: file, path: name, value: level, message: 'is not a level', remedy: `Use ${LEVELS.join(', ')}.` }];
  });
  if (problems.length > 0) throw new ProblemsError(problems);
  return overrides as Overrides;
}
