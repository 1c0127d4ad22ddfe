import { PACKAGE } from '../../packages/api/operator-names.ts';
import type { KubernetesObject } from '../../packages/kube/object.ts';
import { valueAt } from '../../packages/lib/json.ts';
import { catalogSection, certificateSection, gpuSection, NOTHING, operatorSection, stackSection } from './sections.ts';

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
  const parts = [...sections.map(({ text }) => text), leftOut(objects), attention];
  return { text: parts.filter((text) => text !== '').join('\n'), healthy: warnings.length === 0 };
}

const KINDS: Readonly<Record<keyof FleetObjects, string>> = {
  catalogs: 'ClusterCatalogs',
  extensions: 'ClusterExtensions',
  stacks: 'InferenceStacks',
  nodes: 'Nodes',
  pods: 'Pods',
  webhooks: 'MutatingWebhookConfigurations',
};

function leftOut(objects: FleetObjects): string {
  const kinds = Object.entries(KINDS).filter(([key]) => objects[key as keyof FleetObjects] === undefined);
  return kinds.length === 0
    ? ''
    : `Not shown, as you may not list them: ${kinds.map(([, kind]) => kind).join(', ')}.\n`;
}
