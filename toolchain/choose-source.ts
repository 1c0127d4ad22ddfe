import { formatProblem, type Problem } from '../packages/lib/problem.ts';
import { formatSeconds } from '../packages/lib/progress.ts';
import { sumsOf, type Planned } from './plan.ts';
import { suitePackageProblems } from './preflight/debian-packages.ts';

/**
 * The source that each program is made from: the first, unless that cannot be had and there is another. Nobody is asked for a
 * program with one source.
 */
export async function chooseSources(
  planned: readonly Planned[],
  problemsOf: (plan: Planned) => Promise<readonly Problem[]> = firstSourceProblems,
  say: (line: string) => void = (line) => console.error(line),
): Promise<Planned[]> {
  const chosen: Planned[] = [];
  for (const plan of planned) {
    const { otherwise } = plan;
    const problems = otherwise === undefined ? [] : await problemsOf(plan);
    if (otherwise === undefined || problems.length === 0) {
      chosen.push(plan);
      continue;
    }
    const { sdist = '', seconds } = otherwise.program;
    const instead = `it comes from ${sdist} ${otherwise.version} instead, in about ${formatSeconds(seconds)}`;
    say(`${plan.name} ${plan.version} cannot be had, so ${instead}:\n${problems.map(formatProblem).join('\n')}`);
    chosen.push(otherwise);
  }
  return chosen;
}

/** Only packages of another Debian release have another source. */
async function firstSourceProblems({ name, program }: Planned): Promise<Problem[]> {
  const { debian: packageName = '', suite = '', without = [] } = program;
  return suitePackageProblems({ packageName, suite, without, sums: sumsOf(name, program) });
}
