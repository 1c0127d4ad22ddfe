import { ProblemsError, type Problem } from '../../packages/lib/problem.ts';

/** Problems of what a component is given, by the settings that it is given from: components know nothing of these. */
export function inSettings(section: string, problems: readonly Problem[]): Problem[] {
  return problems.map((problem) => ({ ...problem, path: `${section}.${problem.path}` }));
}

/** The same for work that throws what is wrong. */
export async function refusedInSettings<T>(section: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ProblemsError ? new ProblemsError(inSettings(section, error.problems)) : error;
  }
}
