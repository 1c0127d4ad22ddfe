import { PACKAGE } from '../../components/bundle/operator-names.ts';
import type { KubernetesObject } from '../../controller/src/runtime/object.ts';
import { at } from './fields.ts';
import { catalogSection, certificateSection, gpuSection, operatorSection, stackSection } from './sections.ts';

/** What the cluster holds of a fleet. */
export interface FleetObjects {
  readonly catalogs: readonly KubernetesObject[];
  readonly extensions: readonly KubernetesObject[];
  readonly stacks: readonly KubernetesObject[];
  readonly nodes: readonly KubernetesObject[];
  readonly pods: readonly KubernetesObject[];
  /** Secrets of OLM that hold a serving certificate. */
  readonly certificates: readonly KubernetesObject[];
}

export interface FleetReport {
  readonly text: string;
  /** True when nothing needs anyone's attention. */
  readonly healthy: boolean;
}

/** Everything a person wants to know about a fleet, in tables, with what needs attention at the end. */
export function fleetReport(objects: FleetObjects, now: Date): FleetReport {
  const ours = objects.extensions.filter(
    (extension) => at(extension, 'spec', 'source', 'catalog', 'packageName') === PACKAGE,
  );
  const sections = [
    catalogSection(objects.catalogs),
    operatorSection(ours),
    stackSection(objects.stacks, ours),
    gpuSection(objects.nodes, objects.pods),
    certificateSection(objects.certificates, now),
  ];
  const warnings = sections.flatMap((section) => section.warnings);
  const attention =
    warnings.length === 0 ? [] : [`Needs attention:\n${warnings.map((each) => `  ${each}\n`).join('')}`];
  return {
    text: [...sections.map(({ text }) => text).filter((text) => text !== ''), ...attention].join('\n'),
    healthy: warnings.length === 0,
  };
}
