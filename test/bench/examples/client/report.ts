import type { Published } from './publisher.ts';
import type { Step } from './steps.ts';

export interface Report {
  readonly steps: readonly Step[];
  readonly published: Published;
  readonly machine: string;
  readonly date: string;
  readonly revision: string;
}

/** The page with what happened, as it is committed. */
export function page({ steps, published, machine, date, revision }: Report): string {
  const [, digest = ''] = published.catalog.split('@');
  return `# A release that a stranger consumes

<!-- Written by \`make client-proof\`. Do not edit. -->

Release 3.0.0 of revision \`${revision}\`, published to a registry by \`make release\`, then consumed from an empty cluster to the answer of a
model on those roads of [consume a release](../how-to/consume-a-release.md) that are listed. Those who consume have a clone without what images are built from, no builder, and none of the
programs that make a release. The catalog is \`${digest}\`, and its signature is verified on each road. ${machine}, ${date}.

| step | seconds | |
| --- | ---: | --- |
${steps.map(({ name, seconds, said = '' }) => `| ${name} | ${seconds.toFixed(1)} | ${said.replaceAll('|', '\\|')} |`).join('\n')}
`;
}
