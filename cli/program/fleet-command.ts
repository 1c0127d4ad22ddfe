import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';

/** Wrong arguments. The exit code is 2. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/** A command of `fleet`, which answers wrong arguments in two lines: what is wrong, and how the command is used. */
export class FleetCommand extends Command {
  override createCommand(name?: string): FleetCommand {
    return new FleetCommand(name);
  }

  override error(message: string): never {
    const words = [this.name()];
    for (let { parent } = this; parent !== null; { parent } = parent) words.unshift(parent.name());
    const path = words.join(' ');
    // The library puts its suggestion on a line of its own.
    const what = message.replace(/^error: /, '').replace('\n', ' ');
    throw new UsageError(`${path}: ${what}\nUsage: ${path} ${this.usage()}`);
  }
}

/** Refuses options that do nothing without another one: whoever gives them expects something of them. */
export function refuseIdle(
  command: CommandUnknownOpts,
  isThere: boolean,
  needed: string,
  idle: Readonly<Record<string, unknown>>,
): void {
  const [name] = Object.entries(idle).flatMap(([option, value]) => (value === undefined ? [] : [option]));
  if (!isThere && name !== undefined) command.error(`option '${name}' has no effect without '${needed}'`);
}
