import { join } from 'node:path';
import { type Problem, ProblemsError } from '../packages/lib/problem.ts';
import { unsupportedProblems } from './preflight/embedded-cluster.ts';
import { Progress } from '../packages/lib/progress.ts';
import { lockPackages } from './debian-lock.ts';
import { lockModule } from './go-lock.ts';
import { modulesDirectory, programsFile } from './places.ts';
import { readProgramsFile } from './programs-file.ts';
import { provideGo, providePrograms } from './provide.ts';

/** Says that the embedded cluster runs next, so a user who cannot run it learns that before anything is built. */
const TO_RUN = '--to-run';

/** What follows is provided if it can be; otherwise it is said what is missing. */
const IF_POSSIBLE = '--if-possible';

const USAGE = `usage: tools ensure [${TO_RUN}] <program or group>... [${IF_POSSIBLE} <program or group>...]
                              make programs available in .tools/bin
       tools lock [name...]   pin modules and packages after a change of programs.yaml`;

async function main(args: readonly string[]): Promise<number> {
  const [command, ...names] = args;
  if (command === 'ensure' && names.length > 0) return ensure(names);
  if (command === 'lock') return lock(names);
  console.error(USAGE);
  return 2;
}

async function ensure(args: readonly string[]): Promise<number> {
  const all = args.filter((name) => name !== TO_RUN);
  const split = all.includes(IF_POSSIBLE) ? all.indexOf(IF_POSSIBLE) : all.length;
  const wanted = { names: all.slice(0, split), ifPossible: all.slice(split + 1) };
  const preconditions = (): Problem[] => (args.includes(TO_RUN) ? unsupportedProblems() : []);
  await providePrograms(readProgramsFile(programsFile), wanted, preconditions);
  return 0;
}

async function lock(names: readonly string[]): Promise<number> {
  const file = readProgramsFile(programsFile);
  const moving = Object.keys(file.programs).filter((name) => file.programs[name]?.moving === true);
  const all = names.length > 0 ? names : [...Object.keys(file.modules), ...moving];
  const modules = all.filter((name) => !moving.includes(name));
  if (modules.length > 0) await provideGo(file);
  const progress = new Progress(all.length);
  for (const name of all) {
    await progress.run(`lock ${name}`, undefined, () =>
      moving.includes(name) ? lockPackages(file, name) : lockModule(file, name, join(modulesDirectory, name)),
    );
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
