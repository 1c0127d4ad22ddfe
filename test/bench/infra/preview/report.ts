import type { Figures } from './measure.ts';

export interface Report {
  /** A program that does not even import Pulumi's SDK. */
  readonly nothing: Figures;
  readonly empty: Figures;
  readonly dev: Figures;
  readonly policies: Figures;
  readonly resources: number;
  readonly machine: string;
  readonly date: string;
}

/** How many times what it is compared with each may take at the most. */
const LIMITS = { dev: 3, policies: 1.5 };

/** The page with the figures, as it is committed. */
export function page({ nothing, empty, dev, policies, resources, machine, date }: Report): string {
  return `# What a preview costs

<!-- Written by \`make bench-preview\`. Do not edit. -->

A preview of the dev environment that changes nothing (${resources} resources), beside one of an empty TypeScript program, and beside
itself with the policy pack. The empty program imports Pulumi's SDK, as one made by \`pulumi new\` does; what a program costs
that is not even a Pulumi program is in the table as well. All have the same runtime options and environment, as
\`make preview\` sets them, and run in turn, ${dev.seconds.length} rounds after one that fills the caches; the median counts. ${machine}, ${date}.

| preview | median (s) | range (s) | compared | limit |
| --- | ---: | ---: | --- | --- |
${row('a program that imports nothing', nothing)}
${row('an empty program', empty)}
${row('the dev environment', dev, { name: 'the empty program', figures: empty, limit: LIMITS.dev })}
${row('the same with policies', policies, { name: 'without policies', figures: dev, limit: LIMITS.policies })}
`;
}

/** Whether everything stays within its limit. */
export function isWithin({ empty, dev, policies }: Report): boolean {
  return dev.median / empty.median <= LIMITS.dev && policies.median / dev.median <= LIMITS.policies;
}

function row(
  name: string,
  { median, seconds }: Figures,
  beside?: { readonly name: string; readonly figures: Figures; readonly limit: number },
): string {
  const range = `${Math.min(...seconds).toFixed(2)} to ${Math.max(...seconds).toFixed(2)}`;
  const compared = beside === undefined ? '' : `${(median / beside.figures.median).toFixed(2)} times ${beside.name}`;
  const limit = beside === undefined ? '' : `${beside.limit} times`;
  return `| ${name} | ${median.toFixed(2)} | ${range} | ${compared} | ${limit} |`;
}
