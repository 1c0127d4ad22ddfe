import { CommanderError } from '@commander-js/extra-typings';
import { messageOf } from '../packages/lib/error.ts';
import { networkReason } from '../packages/lib/network-problem.ts';
import { ProblemsError } from '../packages/lib/problem.ts';
import { type Io, processIo } from './io.ts';
import { UsageError } from './program/fleet-command.ts';
import { type Define, fleetProgram } from './program/program.ts';

/** Runs `fleet` and returns its exit code: 0 done, 1 refused or failed, 2 not understood. */
export async function main(args: readonly string[], io: Io = processIo, define?: Define): Promise<number> {
  const [name = 'help', ...rest] = args;
  let exitCode = 0;
  const finish = async (work: Promise<number>): Promise<void> => void (exitCode = await work);
  const passedOn = args.includes('--') ? args.slice(args.indexOf('--') + 1) : [];
  try {
    const words = [name === '--version' ? 'version' : name, ...rest];
    await fleetProgram({ io, passedOn, finish }, define).parseAsync(words, { from: 'user' });
    return exitCode;
  } catch (error) {
    // Help was shown: because somebody asked for it, or because a command is missing.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (error instanceof UsageError) {
      io.err(`${error.message}\n`);
      return 2;
    }
    io.err(error instanceof ProblemsError ? `${error.message}\n` : `fleet ${name}: ${unexpected(error)}\n`);
    return 1;
  }
}

/** What nobody has put into words for this command. */
function unexpected(error: unknown): string {
  const reason = networkReason(error);
  if (reason !== undefined) return `a server cannot be reached: ${reason.message}. ${reason.remedy}`;
  const isMistake = error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;
  const report = 'This is a mistake in fleet itself: please report it, with the command and its files.';
  return isMistake ? `${messageOf(error)}. ${report}` : messageOf(error);
}
