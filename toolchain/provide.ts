import { inspect } from 'node:util';
import { type Problem, ProblemsError, refuse } from '../packages/lib/problem.ts';
import { formatSeconds, Progress } from '../packages/lib/progress.ts';
import { chooseSources } from './choose-source.ts';
import { installLacking, lackingInSystem } from './debian.ts';
import { ensureShares, linkExisting, makePrograms, missingPrograms, missingShares } from './ensure.ts';
import { planProgram } from './plan.ts';
import { preflight, type Undertaking } from './preflight/preflight.ts';
import { type ProgramsFile, select } from './programs-file.ts';

/** What is to be made available, by names of programs and groups. */
export interface Wanted {
  readonly names: readonly string[];
  /** What the work goes on without: what is missing for it is said, and nothing of it is made. */
  readonly ifPossible?: readonly string[];
}

/** What providing something consists of. */
export interface Steps {
  /** What is not there yet. This links what is, and asks no server. */
  missing(names: readonly string[]): Promise<Undertaking>;
  /** The same from sources that can be had, with the compilers and packages that this takes. */
  complete(undertaking: Undertaking): Promise<Undertaking>;
  preflight(undertaking: Undertaking): Promise<readonly Problem[]>;
  make(undertaking: Undertaking, progress: Progress): Promise<void>;
  say(line: string): void;
}

/**
 * Makes programs and data files available. `preconditions` checks what the next step needs. It runs only if
 * there is something to build, so a build that would be useless does not start.
 */
export async function providePrograms(
  file: ProgramsFile,
  wanted: Wanted,
  preconditions: () => readonly Problem[],
): Promise<void> {
  await provide(wanted, preconditions, stepsFor(file));
}

/** Makes the go command available, for those who run it themselves. */
export async function provideGo(file: ProgramsFile): Promise<void> {
  await provide({ names: ['go'] }, () => [], stepsFor(file));
}

export async function provide(
  { names, ifPossible = [] }: Wanted,
  preconditions: () => readonly Problem[],
  steps: Steps,
): Promise<void> {
  const missing = await steps.missing(names);
  const missingToo = await steps.missing(ifPossible);
  if (isEmpty(missing) && isEmpty(missingToo)) return;
  const needed = await steps.complete(missing);
  refuse([...preconditions(), ...(isEmpty(needed) ? [] : await steps.preflight(needed))]);
  const goOnWithout = (error: unknown): void => {
    const reason = error instanceof ProblemsError ? error.message : inspect(error);
    steps.say(`Going on without ${ifPossible.join(', ')}, which cannot be provided:\n${reason}`);
  };
  const optional = without(await possible(missingToo, steps, goOnWithout), needed);
  const toMake = [...needed.toMake, ...optional.toMake];
  const progress = new Progress(toMake.length);
  if (toMake.length > 0) {
    const expected = toMake.reduce((sum, { program }) => sum + program.seconds, 0);
    steps.say(`Programs: ${toMake.length} to provide, in about ${formatSeconds(expected)}.`);
  }
  await steps.make(needed, progress);
  await steps.make(optional, progress).catch(goOnWithout);
}

const NOTHING: Undertaking = { toMake: [], sharing: [], lacking: [] };

function isEmpty({ toMake, sharing, lacking }: Undertaking): boolean {
  return toMake.length + sharing.length + lacking.length === 0;
}

/** What can be made of something that the work goes on without: all of it, or nothing. */
async function possible(
  missing: Undertaking,
  steps: Steps,
  goOnWithout: (error: unknown) => void,
): Promise<Undertaking> {
  if (isEmpty(missing)) return NOTHING;
  try {
    const undertaking = await steps.complete(missing);
    refuse(await steps.preflight(undertaking));
    return undertaking;
  } catch (error) {
    goOnWithout(error);
    return NOTHING;
  }
}

/** An undertaking without the programs that another one makes. */
function without(undertaking: Undertaking, other: Undertaking): Undertaking {
  const names = new Set(other.toMake.map(({ name }) => name));
  return { ...undertaking, toMake: undertaking.toMake.filter(({ name }) => !names.has(name)) };
}

function stepsFor(file: ProgramsFile): Steps {
  return {
    missing: (names) => missingOf(file, names),
    complete: (undertaking) => completed(file, undertaking),
    preflight: (undertaking) => preflight(file, undertaking),
    async make({ toMake, sharing, lacking }, progress) {
      await installLacking(lacking);
      await makePrograms(file, toMake, progress);
      await ensureShares(file, sharing);
    },
    say: (line) => console.error(line),
  };
}

async function missingOf(file: ProgramsFile, names: readonly string[]): Promise<Undertaking> {
  const { programs, sharing } = select(file, names);
  const toMake = await linkExisting(missingPrograms(programs.map((name) => planProgram(file, name))));
  const needs = Object.fromEntries(names.flatMap((name) => Object.entries(file.system[name] ?? {})));
  return { toMake, sharing: missingShares(file, sharing), lacking: lackingInSystem(needs) };
}

/** Compilers come first, and nobody has to name them. */
async function completed(file: ProgramsFile, { toMake, sharing, lacking }: Undertaking): Promise<Undertaking> {
  const chosen = await chooseSources(toMake);
  const go = sharing.length > 0 || chosen.some(({ program }) => program.module !== undefined);
  const rust = chosen.some(({ program }) => program.crate !== undefined);
  const compilers = [...(go ? ['go'] : []), ...(rust ? (file.groups['rust'] ?? []) : [])];
  const others = compilers.filter((compiler) => !chosen.some(({ name }) => name === compiler));
  const toAdd = await linkExisting(missingPrograms(others.map((name) => planProgram(file, name))));
  const needs = [rust ? file.system['rust'] : undefined, ...chosen.map(({ program }) => program.needs)];
  const more = needs.flatMap((need) => lackingInSystem(need ?? {}));
  return { toMake: [...toAdd, ...chosen], sharing, lacking: [...lacking, ...more] };
}
