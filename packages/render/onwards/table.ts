import type { ResourceFacts } from '../engines/table.ts';

/** What the gateway Onwards is like in one revision. A revision never changes: stacks keep the one that they started with. */
export interface OnwardsFacts {
  readonly image: { readonly repository: string; readonly tag: string };
  readonly resources: ResourceFacts;
  readonly env: Readonly<Record<string, string>>;
}

export const ONWARDS_REVISIONS: readonly [OnwardsFacts, ...OnwardsFacts[]] = [
  {
    image: { repository: 'ghcr.io/doublewordai/onwards', tag: '1.2.0' },
    // A body may have 32 MiB, and it takes up to four times that of memory while it is passed on: room for twenty of the largest at once.
    resources: {
      requests: { cpu: '100m', memory: '64Mi', 'ephemeral-storage': '64Mi' },
      limits: { memory: '2Gi', 'ephemeral-storage': '512Mi' },
    },
    env: { NO_COLOR: '1' },
  },
];
