import { Argument, type Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { join } from 'node:path';
import { checkout } from '../../packages/lib/checkout.ts';
import { defineBundleCommands } from './bundle-commands.ts';
import { defineCatalogCommands } from './catalog-commands.ts';
import { defineClusterCommands } from './cluster-commands.ts';
import { completionScript } from './completion.ts';
import { defineEnvironmentCommands } from './environment-commands.ts';
import { FleetCommand } from './fleet-command.ts';
import type { Invocation } from './invocation.ts';
import { defineManifests } from './manifests-command.ts';
import { defineMirror } from './mirror-command.ts';
import { definePreviewComment } from './preview-comment-command.ts';
import { defineRelease } from './release-command.ts';
import { defineStackCommands } from './stack-commands.ts';

/** Adds commands to `fleet`. Their modules are loaded when they run, so that help and completion come at once. */
export type Define = (fleet: Command, invocation: Invocation) => void;

/** Every command of `fleet`, in the order of its help. */
export const defineCommands: Define = (fleet, invocation) => {
  defineEnvironmentCommands(fleet, invocation);
  defineStackCommands(fleet, invocation);
  defineClusterCommands(fleet, invocation);
  defineBundleCommands(fleet, invocation);
  defineCatalogCommands(fleet, invocation);
  defineRelease(fleet, invocation);
  defineManifests(fleet, invocation);
  defineMirror(fleet, invocation);
  definePreviewComment(fleet, invocation);
};

/** The command line of `fleet`. */
export function fleetProgram(invocation: Invocation, define: Define = defineCommands): Command {
  const { io } = invocation;
  const fleet = new FleetCommand('fleet')
    .usage('<command> [options]')
    .helpCommand(false)
    .helpOption('-h, --help', 'show this')
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .configureOutput({ writeOut: (text) => io.out(text), writeErr: (text) => io.err(text) })
    .addHelpText('after', '\nfleet help <command> shows what a command does, and its options.')
    .exitOverride();
  define(fleet, invocation);
  defineHelp(fleet, invocation);
  return fleet;
}

/** The commands about `fleet` itself. */
function defineHelp(fleet: Command, { io }: Invocation): void {
  fleet
    .command('help')
    .summary('Show this.')
    .description('Shows what a command does, and its options.')
    .argument('[command...]')
    .action(async (words) => {
      let found: CommandUnknownOpts | undefined = fleet;
      for (const word of words) found = found?.commands.find((command) => command.name() === word);
      // A word that is not a command is refused as if it had been called.
      if (found === undefined) await fleet.parseAsync(words, { from: 'user' });
      else found.help();
    });
  fleet
    .command('completion')
    .summary('Print what completes commands in bash or zsh.')
    .description('Prints a script that completes commands and options: eval "$(fleet completion bash)".')
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh'] as const))
    .action((shell) => io.out(completionScript(fleet, shell)));
  fleet
    .command('version')
    .summary('Print the version.')
    .action(async () => {
      const { version } = JSON.parse(await io.read(join(checkout, 'package.json'))) as { version: string };
      io.out(`fleet ${version}\n`);
    });
}
