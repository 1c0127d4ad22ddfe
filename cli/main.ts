import { join } from 'node:path';
import { checkout } from '../packages/lib/checkout.ts';
import { messageOf } from '../packages/lib/error.ts';
import { ProblemsError } from '../packages/lib/problem.ts';
import { type Command, HelpRequest, UsageError } from './command.ts';
import { COMMANDS } from './commands.ts';
import { type Io, processIo } from './io.ts';

/** Runs `fleet` and returns its exit code: 0 done, 1 refused or failed, 2 not understood. */
export async function main(
  args: string[],
  io: Io = processIo,
  commands: readonly Command[] = COMMANDS,
): Promise<number> {
  const [name = 'help', ...rest] = args;
  if (name === 'help' || name === '--help' || name === '-h') {
    io.out(help(commands));
    return 0;
  }
  if (name === '--version') {
    io.out(`fleet ${await ownVersion(io)}\n`);
    return 0;
  }
  const command = commands.find((candidate) => candidate.name === name);
  if (command === undefined) {
    io.err(`fleet: there is no command "${name}".\n\n${help(commands)}`);
    return 2;
  }
  try {
    const { run } = await command.load();
    return await run(rest, io);
  } catch (error) {
    return report(error, name, io);
  }
}

async function ownVersion(io: Io): Promise<string> {
  const { version } = JSON.parse(await io.read(join(checkout, 'package.json'))) as { version: string };
  return version;
}

export function help(commands: readonly Command[]): string {
  const width = Math.max(4, ...commands.map((command) => command.name.length));
  const lines = [...commands, { name: 'help', summary: 'Show this.' }].map(
    ({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`,
  );
  return `Usage: fleet <command> [options]\n\n${lines.join('\n')}\n\nfleet <command> --help shows a command's options.\n`;
}

function report(error: unknown, name: string, io: Io): number {
  if (error instanceof HelpRequest) {
    io.out(`${error.usage}\n`);
    return 0;
  }
  if (error instanceof UsageError) {
    io.err(`fleet ${name}: ${error.message}\n\n${error.usage}\n`);
    return 2;
  }
  if (error instanceof ProblemsError) {
    io.err(`${error.message}\n`);
    return 1;
  }
  io.err(`fleet ${name}: ${messageOf(error)}\n`);
  return 1;
}
