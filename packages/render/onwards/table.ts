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
    // It holds the bodies of requests, of 32 MiB at most each.
    resources: {
      requests: { cpu: '100m', memory: '64Mi', 'ephemeral-storage': '64Mi' },
      limits: { memory: '512Mi', 'ephemeral-storage': '512Mi' },
    },
    env: { NO_COLOR: '1' },
  },
];
