import type { Command } from './command.ts';

/** Every command of `fleet`, in the order of its help. */
export const COMMANDS: readonly Command[] = [
  {
    name: 'up',
    summary: 'Bring a stack up: local cluster, images, OLM, API, operators, guards.',
    load: () => import('./commands/up.ts'),
  },
  {
    name: 'preview',
    summary: 'Show what `up` would do, and which version each operator would get.',
    load: () => import('./commands/preview.ts'),
  },
  {
    name: 'down',
    summary: 'Remove what `up` installed; the CRDs and every InferenceStack stay.',
    load: () => import('./commands/down.ts'),
  },
  {
    name: 'unlock',
    summary: 'Remove the lock that a killed `up` or `down` has left.',
    load: () => import('./commands/unlock.ts'),
  },
  {
    name: 'forget',
    summary: 'Remove the state of a stack whose cluster is gone for good.',
    load: () => import('./commands/forget.ts'),
  },
  {
    name: 'env',
    summary: 'Print what a shell needs for kubectl, pulumi and fleet: eval "$(fleet env)".',
    load: () => import('./commands/env.ts'),
  },
  {
    name: 'render',
    summary: 'Print the objects that the operator makes for an InferenceStack.',
    load: () => import('./commands/render.ts'),
  },
  {
    name: 'explain',
    summary: 'Say in a few lines what will run for an InferenceStack, where and why.',
    load: () => import('./commands/explain.ts'),
  },
  {
    name: 'status',
    summary: 'Show operators, stacks, GPUs and what needs attention.',
    load: () => import('./commands/status.ts'),
  },
  {
    name: 'bundle',
    summary: "Write or publish an operator version's bundle.",
    load: () => import('./commands/bundle.ts'),
  },
  {
    name: 'catalog',
    summary: 'Render, release, publish and show catalogs.',
    load: () => import('./commands/catalog.ts'),
  },
  {
    name: 'audit',
    summary: 'Judge a live cluster by the rules of the policy pack.',
    load: () => import('./commands/audit.ts'),
  },
  {
    name: 'preview-comment',
    summary: 'Turn a preview into Markdown for a pull request.',
    load: () => import('./commands/preview-comment.ts'),
  },
];
