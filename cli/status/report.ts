import { PACKAGE } from '../../packages/api/operator-names.ts';
import type { KubernetesObject } from '../../packages/kube/object.ts';
import { valueAt } from '../../packages/lib/json.ts';
import { catalogSection, certificateSection, gpuSection, NOTHING, operatorSection, stackSection } from './sections.ts';
import { named, type Row, table } from './table.ts';

/** The parts of a fleet in a cluster; undefined for those that the user may not read. */
export interface FleetObjects {
  readonly catalogs: Listed;
  readonly extensions: Listed;
  readonly stacks: Listed;
  readonly nodes: Listed;
  readonly pods: Listed;
  /** OLM's webhooks, as far as this program made them: they tell when OLM's certificates expire. */
  readonly webhooks: Listed;
}

export type Listed = readonly KubernetesObject[] | undefined;

export interface FleetReport {
  readonly text: string;
  /** True when nothing needs anyone's attention. */
  readonly healthy: boolean;
  /** The same for programs: each table by what its rows are, and rows by the names of their columns. */
  readonly tables: Readonly<Record<string, readonly Row[]>>;
  readonly warnings: readonly string[];
  /** Kinds that the user may not read. */
  readonly left: readonly string[];
}

/** Everything a person wants to know about a fleet, in tables, with what needs attention at the end. */
export function fleetReport(objects: FleetObjects, now: Date): FleetReport {
  const { catalogs, extensions, stacks, nodes, pods, webhooks } = objects;
  const ours = extensions?.filter(
    (extension) => valueAt(extension, 'spec', 'source', 'catalog', 'packageName') === PACKAGE,
  );
  const sections = [
    catalogs === undefined ? NOTHING : catalogSection(catalogs),
    ours === undefined ? NOTHING : operatorSection(ours),
    stacks === undefined ? NOTHING : stackSection(stacks, ours),
    nodes === undefined || pods === undefined ? NOTHING : gpuSection(nodes, pods),
    webhooks === undefined ? NOTHING : certificateSection(webhooks, now),
  ];
  const warnings = sections.flatMap((section) => section.warnings);
  const attention = warnings.length === 0 ? '' : `Needs attention:\n${warnings.map((each) => `  ${each}\n`).join('')}`;
  const left = Object.entries(KINDS).flatMap(([key, kind]) =>
    objects[key as keyof FleetObjects] === undefined ? [kind] : [],
  );
  const parts = [...sections.map(({ headings, rows }) => table(headings, rows)), leftOut(left), attention];
  return {
    text: parts.filter((text) => text !== '').join('\n'),
    healthy: warnings.length === 0,
    tables: Object.fromEntries(sections.filter(({ headings }) => headings.length > 0).map(named)),
    warnings,
    left,
  };
}

const KINDS: Readonly<Record<keyof FleetObjects, string>> = {
  catalogs: 'ClusterCatalogs',
  extensions: 'ClusterExtensions',
  stacks: 'InferenceStacks',
  nodes: 'Nodes',
  pods: 'Pods',
  webhooks: 'MutatingWebhookConfigurations',
};

function leftOut(kinds: readonly string[]): string {
  return kinds.length === 0 ? '' : `Not shown, as you may not list them: ${kinds.join(', ')}.\n`;
}
