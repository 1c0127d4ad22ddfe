import type { Command } from '../command.ts';
import type { Io } from '../io.ts';
import { runSubcommand } from '../subcommands.ts';

const COMMANDS: readonly Command[] = [
  {
    name: 'render',
    summary: 'Print the catalog that a template stands for.',
    load: () => import('./catalog/render.ts'),
  },
  { name: 'graph', summary: 'Write the upgrade graph as a page.', load: () => import('./catalog/graph.ts') },
  { name: 'add', summary: 'Release a version whose bundle is pushed.', load: () => import('./catalog/add.ts') },
  { name: 'promote', summary: 'Move a version on to the next stream.', load: () => import('./catalog/promote.ts') },
  { name: 'check', summary: 'Refuse what contradicts a release.', load: () => import('./catalog/check.ts') },
  { name: 'push', summary: 'Build and push the catalog image.', load: () => import('./catalog/push.ts') },
  { name: 'show', summary: 'Show what a running catalogd serves.', load: () => import('./catalog/show.ts') },
];

export function run(args: string[], io: Io): Promise<number> {
  return runSubcommand('catalog', COMMANDS, args, io);
}
