/** One thing that a release still needs in another repository. */
export interface Item {
  readonly text: string;
  readonly isDone: boolean;
  /** Something went wrong, so that a person has to do what the workflow could not. */
  readonly hasFailed?: boolean;
}

/** What no workflow can do. */
const BY_PEOPLE = [
  'The table of versions in README.md names this release.',
  'A cluster that is not production runs the version, from the published catalog.',
  'The release is announced, with what it changes for stacks that run.',
];

/** What was done and what people have to do, as Markdown with boxes to tick. */
export function checklist(version: string, items: readonly Item[]): string {
  const all = [...items, ...BY_PEOPLE.map((text) => ({ text, isDone: false }))];
  return [
    `### Release ${version} elsewhere`,
    '',
    ...all.map(({ text, isDone }) => `- [${isDone ? 'x' : ' '}] ${text}`),
    '',
  ].join('\n');
}
