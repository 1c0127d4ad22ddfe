import { type Command, Option } from '@commander-js/extra-typings';
import type { EnvironmentOptions } from '../environment/options.ts';
import type { Io } from '../io.ts';
import type { Invocation } from './invocation.ts';

interface EnvironmentCommand {
  readonly name: string;
  /** Whether it is about the state alone, and below `fleet state`. */
  readonly ofState?: true;
  readonly summary: string;
  readonly description: string;
  readonly examples?: string;
  /** Whether it runs `pulumi`, which then gets what follows `--`. */
  readonly runsPulumi?: false;
  readonly load: () => Promise<{ readonly run: (options: EnvironmentOptions, io: Io) => Promise<number> }>;
}

const COMMANDS: readonly EnvironmentCommand[] = [
  {
    name: 'up',
    summary: 'Bring an environment up, with its cluster where it is local.',
    description:
      'Starts the embedded cluster where the environment wants it, builds the programs and runs `pulumi ' +
      'up`. With the demo runtime it ends with an InferenceStack that answers a chat completion.',
    load: () => import('../commands/up.ts'),
  },
  {
    name: 'preview',
    summary: "Show what `up` would do, and each operator's next version.",
    description:
      'Shows what `fleet up` would do: for each operator from which version to which, and what changes in ' +
      'the cluster. It works without a cluster, and without a state: then it shows a new environment.',
    examples: `
Examples:
  fleet preview -- --diff                                 every field that changes
  fleet preview -e prod -- --policy-pack policies --json  with the policy pack`,
    load: () => import('../commands/preview.ts'),
  },
  {
    name: 'down',
    summary: 'Remove what `up` installed; CRDs and InferenceStacks stay.',
    description:
      'Removes everything that `fleet up` installed, also where InferenceStacks still name an operator. The' +
      ' CRDs of InferenceStack and of OLM stay, and with them every InferenceStack; so do protected ' +
      'resources.',
    load: () => import('../commands/down.ts'),
  },
  {
    name: 'unlock',
    ofState: true,
    summary: 'Remove the lock that a killed `up` or `down` has left.',
    description:
      'Removes the lock that a killed update leaves behind. Make sure that none is running: two at once ' +
      "would undo each other's work.",
    runsPulumi: false,
    load: () => import('../commands/unlock.ts'),
  },
  {
    name: 'forget',
    ofState: true,
    summary: "Remove an environment's state when its cluster is gone.",
    description:
      'Removes the state of an environment whose cluster is gone for good, so that the next `fleet up` ' +
      'starts from nothing. Its settings stay. While the cluster answers, it refuses: use `fleet down`. It ' +
      'asks first, since the cluster may only be out of reach; `-- --yes` answers.',
    load: () => import('../commands/forget.ts'),
  },
  {
    name: 'env',
    summary: 'Print what a shell needs: eval "$(fleet env)".',
    description:
      'Prints what a shell needs for kubectl, pulumi and fleet to work with an environment: eval "$(fleet ' +
      'env)". For the embedded cluster that includes its kubeconfig.',
    runsPulumi: false,
    load: () => import('../commands/env.ts'),
  },
];

const PREVIEWED = new Option(
  '--previewed <file>',
  'refuse another change than that of a preview, which `fleet preview-comment --record` has written',
);

/** The commands that run an environment, each with the same options. */
export function defineEnvironmentCommands(
  fleet: Command,
  { io, passedOn, finish }: Invocation,
  commands = COMMANDS,
): void {
  // The same variable chooses the environment for `pulumi`.
  const { PULUMI_STACK = 'dev' } = io.env;
  const environment = new Option('-e, --environment <name>', 'the environment of Pulumi.NAME.yaml').default(
    PULUMI_STACK,
  );
  const configFile = new Option('--config-file <file>', 'settings to use instead of those of Pulumi.NAME.yaml');
  let state: Command | undefined;
  for (const { name, ofState, summary, description, examples = '', runsPulumi = true, load } of commands) {
    const defined = (ofState === true ? (state ??= stateGroup(fleet)) : fleet)
      .command(name)
      .summary(summary)
      .description(description)
      .addHelpText('after', examples)
      .usage(runsPulumi ? '[options] [-- arguments for pulumi]' : '[options]')
      .argument('[arguments...]')
      .addOption(environment)
      .addOption(configFile);
    if (name === 'up') defined.addOption(PREVIEWED);
    defined.action((words, options: Omit<EnvironmentOptions, 'forPulumi'>, command) => {
      const unexpected = words.slice(0, words.length - passedOn.length);
      // Pulumi would take `prod` of `fleet up prod` for the name of a template.
      if (unexpected.length > 0) command.error(`unexpected argument '${unexpected.join(' ')}'`);
      if (!runsPulumi && passedOn.length > 0) {
        command.error(`takes no arguments for pulumi, and would do nothing with '${passedOn.join(' ')}'`);
      }
      return finish(load().then(({ run }) => run({ ...options, forPulumi: passedOn }, io)));
    });
  }
}

/** Rarely needed, and never by the way. */
function stateGroup(fleet: Command): Command {
  return fleet
    .command('state')
    .summary("Unlock or forget an environment's state.")
    .usage('<command> [options]')
    .helpCommand(false);
}
