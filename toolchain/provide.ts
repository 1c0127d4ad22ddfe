import { type Problem, ProblemsError, refuse } from '../packages/lib/problem.ts';
import { formatSeconds, Progress } from '../packages/lib/progress.ts';
import { installLacking, lackingInSystem } from './debian.ts';
import { ensureShares, linkExisting, makePrograms, missingPrograms, missingShares, planProgram } from './ensure.ts';
import { preflight, type Undertaking } from './preflight/preflight.ts';
import { type ProgramsFile, select } from './programs-file.ts';

/** What is to be made available, by names of programs and groups. */
export interface Wanted {
  readonly names: readonly string[];
  /** What the work goes on without: what is missing for it is said, and nothing of it is made. */
  readonly ifPossible?: readonly string[];
}

/**
 * Makes programs and data files available. `preconditions` checks what the next step needs. It runs only if
 * there is something to build, so a build that would be useless does not start.
 */
export async function providePrograms(
  file: ProgramsFile,
  { names, ifPossible = [] }: Wanted,
  preconditions: () => readonly Problem[],
): Promise<void> {
  const needed = await undertakingOf(file, names);
  const optional = await undertakingOf(file, ifPossible);
  await undertake(file, needed, await possible(file, optional, ifPossible), preconditions);
}

/** Makes the go command available, for those who run it themselves. */
export async function provideGo(file: ProgramsFile): Promise<void> {
  const toMake = await linkExisting(missingPrograms([planProgram(file, 'go')]));
  await undertake(file, { ...NOTHING, toMake }, NOTHING, () => []);
}

const NOTHING: Undertaking = { toMake: [], sharing: [], lacking: [] };

async function undertakingOf(file: ProgramsFile, names: readonly string[]): Promise<Undertaking> {
  const { programs, sharing } = select(file, names);
  const toMake = await linkExisting(missingPrograms(programs.map((name) => planProgram(file, name))));
  const needs = Object.fromEntries(names.flatMap((name) => Object.entries(file.system[name] ?? {})));
  return withCompilers(file, { toMake, sharing: missingShares(file, sharing), lacking: lackingInSystem(needs) });
}

/** Adds the compilers that are needed as the first programs, so that nobody has to name them. */
async function withCompilers(file: ProgramsFile, undertaking: Undertaking): Promise<Undertaking> {
  const { toMake, sharing, lacking } = undertaking;
  const go = sharing.length > 0 || toMake.some(({ program }) => program.module !== undefined);
  const rust = toMake.some(({ program }) => program.crate !== undefined);
  const compilers = [...(go ? ['go'] : []), ...(rust ? (file.groups['rust'] ?? []) : [])];
  const others = compilers.filter((compiler) => !toMake.some(({ name }) => name === compiler));
  const toAdd = await linkExisting(missingPrograms(others.map((name) => planProgram(file, name))));
  const forRust = rust ? lackingInSystem(file.system['rust'] ?? {}) : [];
  return { toMake: [...toAdd, ...toMake], sharing, lacking: [...lacking, ...forRust] };
}

/** What can be made of something that the work goes on without: all of it, or nothing. */
async function possible(
  file: ProgramsFile,
  undertaking: Undertaking,
  names: readonly string[],
): Promise<Undertaking> {
  if (isEmpty(undertaking)) return NOTHING;
  const problems = await preflight(file, undertaking);
  if (problems.length === 0) return undertaking;
  goOnWithout(names, new ProblemsError(problems));
  return NOTHING;
}

function goOnWithout(names: readonly string[], error: Error): void {
  console.error(`Going on without ${names.join(', ')}, which cannot be provided:\n${error.message}`);
}

function isEmpty({ toMake, sharing, lacking }: Undertaking): boolean {
  return toMake.length + sharing.length + lacking.length === 0;
}

async function undertake(
  file: ProgramsFile,
  needed: Undertaking,
  optional: Undertaking,
  preconditions: () => readonly Problem[],
): Promise<void> {
  if (isEmpty(needed) && isEmpty(optional)) return;
  refuse([...preconditions(), ...(isEmpty(needed) ? [] : await preflight(file, needed))]);
  const names = new Set(needed.toMake.map(({ name }) => name));
  const more = optional.toMake.filter(({ name }) => !names.has(name));
  const toMake = [...needed.toMake, ...more];
  const progress = new Progress(toMake.length);
  if (toMake.length > 0) {
    const expected = toMake.reduce((sum, { program }) => sum + program.seconds, 0);
    console.error(`Programs: ${toMake.length} to provide, in about ${formatSeconds(expected)}.`);
  }
  await installLacking(needed.lacking);
  await makePrograms(file, needed.toMake, progress);
  await ensureShares(file, needed.sharing);
  try {
    await installLacking(optional.lacking);
    await makePrograms(file, more, progress);
    await ensureShares(file, optional.sharing);
  } catch (error) {
    if (!(error instanceof ProblemsError)) throw error;
    goOnWithout(
      more.map(({ name }) => name),
      error,
    );
  }
}
