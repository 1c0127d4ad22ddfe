import { type Problem, refuse } from '../packages/lib/problem.ts';
import { formatSeconds, Progress } from '../packages/lib/progress.ts';
import { installLacking, lackingInSystem } from './debian.ts';
import { ensureShares, linkExisting, makePrograms, missingPrograms, missingShares, planProgram } from './ensure.ts';
import { preflight, type Undertaking } from './preflight/preflight.ts';
import { type ProgramsFile, select } from './programs-file.ts';

/**
 * Makes programs and data files available. `preconditions` checks what the next step needs. It runs only if
 * there is something to build, so a build that would be useless does not start.
 */
export async function providePrograms(
  file: ProgramsFile,
  names: readonly string[],
  preconditions: () => readonly Problem[],
): Promise<void> {
  const { programs, sharing } = select(file, names);
  const planned = programs.map((name) => planProgram(file, name));
  const toMake = await linkExisting(missingPrograms(planned));
  const needs = Object.fromEntries(names.flatMap((name) => Object.entries(file.system[name] ?? {})));
  const undertaking = { toMake, sharing: missingShares(file, sharing), lacking: lackingInSystem(needs) };
  await undertake(file, await withGo(file, undertaking), preconditions);
}

/** Makes the go command available, for those who run it themselves. */
export async function provideGo(file: ProgramsFile): Promise<void> {
  const toMake = await linkExisting(missingPrograms([planProgram(file, 'go')]));
  await undertake(file, { toMake, sharing: [], lacking: [] }, () => []);
}

/** Adds Go as the first program if a Go module is needed, so that nobody has to name it. */
async function withGo(file: ProgramsFile, undertaking: Undertaking): Promise<Undertaking> {
  const { toMake, sharing } = undertaking;
  const needed = sharing.length > 0 || toMake.some(({ program }) => program.module !== undefined);
  const asked = toMake.some(({ name }) => name === 'go');
  if (!needed || asked) return undertaking;
  return { ...undertaking, toMake: [...(await linkExisting(missingPrograms([planProgram(file, 'go')]))), ...toMake] };
}

async function undertake(
  file: ProgramsFile,
  undertaking: Undertaking,
  preconditions: () => readonly Problem[],
): Promise<void> {
  const { toMake, sharing, lacking } = undertaking;
  if (toMake.length + sharing.length + lacking.length === 0) return;
  refuse([...preconditions(), ...(await preflight(file, undertaking))]);
  await installLacking(lacking);
  if (toMake.length > 0) {
    const expected = toMake.reduce((sum, { program }) => sum + program.seconds, 0);
    console.error(`Programs: ${toMake.length} to provide, in about ${formatSeconds(expected)}.`);
    await makePrograms(file, toMake, new Progress(toMake.length));
  }
  await ensureShares(file, sharing);
}
