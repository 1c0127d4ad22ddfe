/** Who commits and tags, as GitHub knows its own runs; for git, before the command. */
export const AUTHOR: readonly string[] = [
  '-c',
  'user.name=github-actions[bot]',
  '-c',
  'user.email=41898282+github-actions[bot]@users.noreply.github.com',
];
