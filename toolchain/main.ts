import { join } from 'node:path';
import { type Problem, ProblemsError } from '../packages/lib/problem.ts';
import { unsupportedProblems } from './preflight/embedded-cluster.ts';
import { Progress } from '../packages/lib/progress.ts';
import { lockModule } from './go-lock.ts';
import { modulesDirectory, programsFile } from './places.ts';
import { readProgramsFile } from './programs-file.ts';
import { provideGo, providePrograms } from './provide.ts';

/** Says that the embedded cluster runs next, so a user who cannot run it learns that before anything is built. */
const TO_RUN = '--to-run';

const USAGE = `usage: tools ensure [${TO_RUN}] <program or group>...   make programs available in .tools/bin
       tools lock [module...]                         pin modules after a change of programs.yaml`;

async function main(args: readonly string[]): Promise<number> {
  const [command, ...names] = args;
  if (command === 'ensure' && names.length > 0) return ensure(names);
  if (command === 'lock') return lock(names);
  console.error(USAGE);
  return 2;
}

async function ensure(args: readonly string[]): Promise<number> {
  const names = args.filter((name) => name !== TO_RUN);
  const preconditions = (): Problem[] => (args.includes(TO_RUN) ? unsupportedProblems() : []);
  await providePrograms(readProgramsFile(programsFile), names, preconditions);
  return 0;
}

async function lock(names: readonly string[]): Promise<number> {
  const file = readProgramsFile(programsFile);
  const modules = names.length > 0 ? names : Object.keys(file.modules);
  await provideGo(file);
  const progress = new Progress(modules.length);
  for (const name of modules) {
    await progress.run(`lock ${name}`, undefined, () => lockModule(file, name, join(modulesDirectory, name)));
  }
  return 0;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  // Problems that a person can act on need no stack trace.
  console.error(error instanceof ProblemsError ? error.message : error);
  process.exitCode = 1;
}
