import type { Io } from './io.ts';

/** One command of `fleet`. Its module is loaded only when it is used. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<{ readonly run: (args: string[], io: Io) => Promise<number> }>;
}

/** Thrown where a person asks how a command is used, and not for its work. */
export class HelpRequest extends Error {
  readonly usage: string;

  constructor(usage: string) {
    super('the usage was asked for');
    this.name = 'HelpRequest';
    this.usage = usage;
  }
}

/** Wrong arguments: the message is shown with the command's usage, and the exit code is 2. */
export class UsageError extends Error {
  readonly usage: string;

  constructor(message: string, usage: string) {
    super(message);
    this.name = 'UsageError';
    this.usage = usage;
  }
}
