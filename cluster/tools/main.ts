import { join } from 'node:path';
import { ProblemsError } from '../../controller/src/problem.ts';
import { formatSeconds, Progress } from '../progress.ts';
import { ensureSystemCommands } from './debian.ts';
import { ensurePrograms, ensureShares, missingPrograms, planProgram } from './ensure.ts';
import { lockModule } from './go-lock.ts';
import { modulesDirectory, programsFile } from './places.ts';
import { readProgramsFile, select } from './programs-file.ts';

const USAGE = `usage: tools ensure <program or group>...   make programs available in .tools/bin
       tools lock [module...]              pin modules after a change of programs.yaml`;

async function main(args: readonly string[]): Promise<number> {
  const [command, ...names] = args;
  if (command === 'ensure' && names.length > 0) return ensure(names);
  if (command === 'lock') return lock(names);
  console.error(USAGE);
  return 2;
}

async function ensure(names: readonly string[]): Promise<number> {
  const file = readProgramsFile(programsFile);
  const { programs, sharing } = select(file, names);
  const planned = programs.map((name) => planProgram(file, name));
  if (names.includes('cluster')) await ensureSystemCommands(file.system);
  const missing = missingPrograms(planned);
  if (missing.length > 0) {
    const expected = missing.reduce((sum, { program }) => sum + program.seconds, 0);
    console.error(
      `Programs: ${missing.length} to provide; at most ${formatSeconds(expected)} if all have to be built.`,
    );
    const progress = new Progress(missing.length);
    await ensurePrograms(file, missing, progress);
  }
  await ensureShares(file, sharing);
  return 0;
}

async function lock(names: readonly string[]): Promise<number> {
  const file = readProgramsFile(programsFile);
  const modules = names.length > 0 ? names : Object.keys(file.modules);
  const progress = new Progress(modules.length);
  for (const name of modules) {
    await progress.run(`lock ${name}`, undefined, () => lockModule(file, name, join(modulesDirectory, name)));
  }
  return 0;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  // What a person can act on is told without a stack trace.
  console.error(error instanceof ProblemsError ? error.message : error);
  process.exitCode = 1;
}
