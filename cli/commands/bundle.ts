import type { Command } from '../command.ts';
import type { Io } from '../io.ts';
import { runSubcommand } from '../subcommands.ts';

const COMMANDS: readonly Command[] = [
  { name: 'write', summary: "Write a version's bundle directory.", load: () => import('./bundle/write.ts') },
  { name: 'push', summary: 'Build and push the controller and its bundle.', load: () => import('./bundle/push.ts') },
];

export function run(args: string[], io: Io): Promise<number> {
  return runSubcommand('bundle', COMMANDS, args, io);
}
