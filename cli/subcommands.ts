import type { Command } from './command.ts';
import { HelpRequest, UsageError } from './command.ts';
import type { Io } from './io.ts';

/** Runs the subcommand that the first argument names, e.g. `render` of `fleet catalog render`. */
export async function runSubcommand(
  parent: string,
  commands: readonly Command[],
  [name, ...rest]: string[],
  io: Io,
): Promise<number> {
  const width = Math.max(...commands.map((command) => command.name.length));
  const list = commands.map((command) => `  ${command.name.padEnd(width)}  ${command.summary}`).join('\n');
  const usage = `Usage: fleet ${parent} <command> [options]\n\n${list}`;
  if (name === '--help' || name === '-h') throw new HelpRequest(usage);
  const command = commands.find((candidate) => candidate.name === name);
  if (command === undefined) {
    throw new UsageError(name === undefined ? 'say what to do' : `there is no command "${name}"`, usage);
  }
  return (await command.load()).run(rest, io);
}
