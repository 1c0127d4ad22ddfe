import { serves } from '../../components/bundle/serves.ts';
import type { Finding, Effect } from './finding.ts';

/** What the notes of a release tell. */
export interface ReleaseFacts {
  readonly version: string;
  readonly channel: string;
  /** The release that it was compared with. */
  readonly previous: string | undefined;
  readonly findings: readonly Finding[];
  /** Images by what they are, each as `repository@digest`. */
  readonly images: Readonly<Record<string, string>>;
  /** SHA-256 of files of the repository. */
  readonly files: Readonly<Record<string, string>>;
  /** The upgrades between released versions, as Mermaid draws them. */
  readonly graph: string;
  readonly signed: boolean;
}

const HEADINGS: Readonly<Record<Effect, string>> = {
  breaking: 'What breaks',
  addition: 'What is new',
  change: 'What else differs',
};

/** The page of a release. It has no date: made again, it is the same. */
export function releaseNotes(facts: ReleaseFacts): string {
  const { version, channel, findings, images, files, graph, signed } = facts;
  return `# Release ${version}

<!-- Written by make release. -->

Released to \`${channel}\`. ${signed ? 'The images are signed.' : 'The images are not signed.'} Tag \`v${version}\` has the source. [How to promote or withdraw a
release](../how-to/release-an-operator-version.md), and [what changed for people](../../CHANGELOG.md).

It serves ${served()}.

## What changes for a running stack

${runningStacks(facts)}
${(['breaking', 'addition', 'change'] as const).map((effect) => section(effect, findings)).join('')}
## Upgrades

\`\`\`mermaid
${graph.trimEnd()}
\`\`\`

## Checksums

| what | checksum |
| --- | --- |
${rows(images)}
${rows(files)}
`;
}

/** Versions of the API, and the revisions that new stacks get. */
function served(): string {
  const { apiVersions, revisions } = serves();
  const tables = Object.entries(revisions).map(([name, revision]) => `${name} ${String(revision)}`);
  return `[${apiVersions.join(' and ')}](../concepts/api-versions.md) of the API; new stacks get the [revisions](../reference/engines.md) ${tables.join(', ')}`;
}

function runningStacks({ previous, findings }: ReleaseFacts): string {
  if (previous === undefined) return 'There was no release before, so no stack runs on one.\n';
  const touched = findings.filter(({ area, object }) => area === 'stacks' && object.includes('running stack'));
  const compared = `Compared with ${previous}, by what both make of the stacks in \`catalog/corpus\`:`;
  if (touched.length === 0) return `${compared} nothing. No pod restarts, and no object changes.\n`;
  const restarts = touched.some(({ message }) => message === 'restarts the pods');
  return `${compared} ${restarts ? '**pods restart**.' : 'no pod restarts.'} The lists below name each object.\n`;
}

function section(effect: Effect, findings: readonly Finding[]): string {
  const lines = findings
    .filter((finding) => finding.effect === effect)
    .map(({ object, path, message }) => `- ${object}: ${path === '' ? '' : `\`${path}\` `}${message}\n`);
  return lines.length === 0 ? '' : `\n### ${HEADINGS[effect]}\n\n${lines.join('')}`;
}

function rows(checksums: Readonly<Record<string, string>>): string {
  return Object.entries(checksums)
    .map(([what, checksum]) => `| ${what} | \`${checksum}\` |`)
    .join('\n');
}
