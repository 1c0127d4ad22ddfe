import type { SemVer } from 'semver';
import { bundleVersion } from './fbc.ts';
import type { Catalog, ChannelEntry, FbcChannel } from './fbc.ts';
import { compareVersions } from './version.ts';

/** Decorations of bundles and edges, found while channels are drawn and written after them. */
interface Decorations {
  readonly classes: { deprecated: string[]; deprecatedskipped: string[]; skipped: string[] };
  readonly deadLinks: number[];
  links: number;
}

/** The upgrade graph as a Mermaid flow chart, as `opm alpha render-template -o mermaid` draws it. */
export function mermaid(catalog: Catalog): string {
  const { package: pkg, deprecations } = catalog;
  const versions = new Map(catalog.bundles.map((bundle) => [bundle.name, bundleVersion(bundle)]));
  const deprecated = new Set(deprecations?.entries.map(({ reference: { schema, name } }) => `${schema} ${name ?? ''}`));
  const decorations: Decorations = {
    classes: { deprecated: [], deprecatedskipped: [], skipped: [] },
    deadLinks: [],
    links: 0,
  };
  const channels = [...catalog.channels].sort((a, b) => (a.name < b.name ? -1 : 1));
  const lines = [
    'graph LR',
    '  classDef deprecated fill:#E8960F',
    '  classDef skipped stroke:#FF0000,stroke-width:4px',
    '  classDef deprecatedskipped fill:#E8960F,stroke:#FF0000,stroke-width:4px',
    `  %% package "${pkg.name}"`,
    `  subgraph "${pkg.name}"`,
    ...channels.flatMap((channel) => drawChannel(channel, versions, deprecated, decorations)),
    '  end',
    ...(deprecated.has('olm.package ') ? [`style ${pkg.name} fill:#989695`] : []),
    ...channels
      .filter(({ name }) => deprecated.has(`olm.channel ${name}`))
      .map((channel) => `style ${channelId(channel)} fill:#DCD0FF`),
    ...Object.entries(decorations.classes)
      .filter(([, ids]) => ids.length > 0)
      .map(([name, ids]) => `class ${ids.sort().join(',')} ${name}`),
    ...(decorations.deadLinks.length === 0
      ? []
      : [`linkStyle ${decorations.deadLinks.join(',')} stroke:#FF0000,stroke-width:3px,stroke-dasharray:5;`]),
  ];
  return `${lines.join('\n')}\n`;
}

function drawChannel(
  channel: FbcChannel,
  versions: ReadonlyMap<string, SemVer | undefined>,
  deprecated: ReadonlySet<string>,
  decorations: Decorations,
): string[] {
  const id = channelId(channel);
  const node = (name: string): string => `${id}-${name}["${name}"]`;
  const skipped = new Set<string>();
  const newestFirst = [...channel.entries].sort((a, b) => compareEntries(b, a, versions));
  const lines = newestFirst.flatMap((entry) => {
    decorate(`${id}-${entry.name}`, deprecated.has(`olm.bundle ${entry.name}`), skipped.has(entry.name), decorations);
    const link = (from: string, edge: string, dead: boolean): string => {
      if (dead) decorations.deadLinks.push(decorations.links);
      decorations.links += 1;
      return `      ${node(from)}-- ${edge} --> ${node(entry.name)}`;
    };
    const skips = (entry.skips ?? []).map((from) => {
      const dead = skipped.has(from);
      skipped.add(from);
      return link(from, 'skip', dead);
    });
    // Drawn last: whether a replacement still counts depends on what was skipped.
    const replaces = entry.replaces === undefined ? [] : [link(entry.replaces, 'replace', skipped.has(entry.name))];
    return [`      ${node(entry.name)}`, ...skips, ...replaces];
  });
  return [`    %% channel "${channel.name}"`, `    subgraph ${id}["${channel.name}"]`, ...lines, '    end'];
}

function decorate(id: string, deprecated: boolean, skipped: boolean, { classes }: Decorations): void {
  if (deprecated && skipped) classes.deprecatedskipped.push(id);
  else if (deprecated) classes.deprecated.push(id);
  else if (skipped) classes.skipped.push(id);
}

function compareEntries(a: ChannelEntry, b: ChannelEntry, versions: ReadonlyMap<string, SemVer | undefined>): number {
  const [left, right] = [versions.get(a.name), versions.get(b.name)];
  return left === undefined || right === undefined ? 0 : compareVersions(left, right);
}

function channelId(channel: FbcChannel): string {
  return `${channel.package}-${channel.name}`;
}
