import type { Command } from './command.ts';

/** Every command of `fleet`, in the order of its help. */
export const COMMANDS: readonly Command[] = [
  {
    name: 'status',
    summary: 'Show operators, stacks, GPUs and what needs attention.',
    load: () => import('./commands/status.ts'),
  },
];
