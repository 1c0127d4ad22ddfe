import { condition } from '../../packages/kube/conditions.ts';
import { servedMajor } from '../../components/fleet/served-major.ts';
import { certificatesExpiry, daysLeft, expiryWarning } from '../../components/olm/certificate-expiry.ts';
import { reportedBundle } from '../../components/olm/reported-bundle.ts';
import { INFERENCE_STACK, OPERATOR_VERSION_LABEL } from '../../packages/api/constants.ts';
import { GPU_DEFAULTS } from '../../packages/api/defaults.ts';
import { parseOperatorRequest, requestProblem } from '../../packages/api/operator-version.ts';
import type { InferenceStackStatus } from '../../packages/api/status.ts';
import { formatProblem } from '../../packages/lib/problem.ts';
import { keepNode } from '../../packages/kube/placement/node-view.ts';
import { heldDevices } from '../../packages/kube/pods/requests.ts';
import { PRODUCT_LABEL } from '../../packages/render/gpu.ts';
import { describeObject, objectKey, type KubernetesObject } from '../../packages/kube/object.ts';
import { listAt, textAt } from '../../packages/lib/json.ts';
import { unmet } from './fields.ts';
import { stackWarnings } from './stack-warnings.ts';

/** One table, and what in it needs attention. */
export interface Section {
  readonly headings: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly warnings: readonly string[];
}

/** No table for what the user may not read. */
export const NOTHING: Section = { headings: [], rows: [], warnings: [] };

export function catalogSection(catalogs: readonly KubernetesObject[]): Section {
  const rows = catalogs.map((catalog) => {
    const serving = condition(catalog, 'Serving');
    return [catalog.metadata.name, serving?.status ?? 'Unknown', textAt(catalog, 'spec', 'source', 'image', 'ref')];
  });
  return {
    headings: ['CATALOG', 'SERVING', 'IMAGE'],
    rows,
    warnings: unmet(catalogs, ['Serving']),
  };
}

export function operatorSection(extensions: readonly KubernetesObject[]): Section {
  const rows = extensions.map((extension) => [
    extension.metadata.name,
    listAt(extension, 'spec', 'source', 'catalog', 'channels').join(','),
    reportedBundle(extension)?.version ?? '-',
    condition(extension, 'Installed')?.status ?? 'Unknown',
    condition(extension, 'Progressing')?.reason ?? 'Unknown',
  ]);
  return {
    headings: ['OPERATOR', 'CHANNEL', 'VERSION', 'INSTALLED', 'PROGRESSING'],
    rows,
    warnings: [
      ...unmet(extensions, ['Installed']),
      ...extensions.flatMap(unfinished),
      ...extensions.flatMap(deprecated),
    ],
  };
}

/** Stacks without an operator can be found only if the operators are known. */
export function stackSection(
  stacks: readonly KubernetesObject[],
  extensions: readonly KubernetesObject[] | undefined,
): Section {
  const installed = extensions?.filter((extension) => condition(extension, 'Installed')?.status !== 'False');
  const rows = stacks.map((stack) => {
    const status = (stack['status'] ?? {}) as InferenceStackStatus;
    const ready = condition(stack, 'Ready');
    return [
      // Stacks of the two kinds may share a name.
      stack.kind === INFERENCE_STACK.kind ? objectKey(stack.metadata) : describeObject(stack),
      stack.metadata.labels?.[OPERATOR_VERSION_LABEL] ?? '-',
      servedBy(status, hasOperator(stack, installed)),
      ready?.status ?? 'Unknown',
      status.applicationsReady ?? '-',
      String(status.gpus ?? 0),
      status.url ?? '-',
    ];
  });
  const orphans = stacks.filter((stack) => !hasOperator(stack, extensions));
  return {
    headings: ['STACK', 'ASKS FOR', 'SERVED BY', 'READY', 'APPLICATIONS', 'GPUS', 'URL'],
    rows,
    warnings: [...orphans.map(unserved), ...stacks.filter((stack) => !orphans.includes(stack)).flatMap(stackWarnings)],
  };
}

function majorOf({ metadata }: KubernetesObject): number | undefined {
  return parseOperatorRequest(metadata.labels?.[OPERATOR_VERSION_LABEL] ?? '')?.major;
}

/** If the operators are not known, one is assumed to be there. */
function hasOperator(stack: KubernetesObject, extensions: readonly KubernetesObject[] | undefined): boolean {
  if (extensions === undefined) return true;
  const major = majorOf(stack);
  return major !== undefined && extensions.some((extension) => servedMajor(extension) === major);
}

/** An operator that is gone could not remove its version from the status. */
function servedBy({ operatorVersion }: InferenceStackStatus, present: boolean): string {
  if (operatorVersion === undefined) return '-';
  return present ? operatorVersion : `- (was ${operatorVersion})`;
}

/** What to do about a stack that no operator serves. */
function unserved(stack: KubernetesObject): string {
  const object = describeObject(stack);
  const problem = requestProblem(stack.metadata.labels?.[OPERATOR_VERSION_LABEL]);
  if (problem !== undefined) return formatProblem({ object, ...problem });
  return `${object}: there is no operator of major ${majorOf(stack)}: \`make up\` installs those that the environment lists`;
}

/** Counted as operators do, so that the table agrees with what stacks say about GPUs. */
export function gpuSection(nodes: readonly KubernetesObject[], pods: readonly KubernetesObject[]): Section {
  const { resourceName } = GPU_DEFAULTS;
  const inUse = new Map<string, number>();
  for (const pod of pods) {
    const node = textAt(pod, 'spec', 'nodeName');
    inUse.set(node, (inUse.get(node) ?? 0) + (heldDevices(pod)[resourceName] ?? 0));
  }
  const rows = nodes.map(keepNode).flatMap(({ name, labels, devices }) => {
    const total = devices[resourceName] ?? 0;
    const used = Math.min(total, inUse.get(name) ?? 0);
    return total === 0 ? [] : [[name, labels[PRODUCT_LABEL] ?? '-', `${total}`, `${used}`, `${total - used}`]];
  });
  return rows.length === 0 ? NOTHING : { headings: ['NODE', 'GPU', 'TOTAL', 'USED', 'FREE'], rows, warnings: [] };
}

export function certificateSection(webhooks: readonly KubernetesObject[], now: Date): Section {
  const expires = certificatesExpiry(webhooks);
  if (expires === undefined) return NOTHING;
  const warning = expiryWarning(expires, now);
  return {
    headings: ['CERTIFICATES', 'DAYS LEFT'],
    rows: [['OLM', String(daysLeft(expires, now))]],
    warnings: warning === undefined ? [] : [warning],
  };
}

/** OLM reports progress as true while it works, while it retries and when it is done; only the reason tells. */
function unfinished(extension: KubernetesObject): readonly string[] {
  const progressing = condition(extension, 'Progressing');
  if (progressing === undefined || progressing.reason === 'Succeeded') return [];
  return [`${describeObject(extension)}: Progressing: ${progressing.reason}: ${progressing.message}`];
}

/** OLM's words about the installed version, its channel and the package: why to leave them, and for what. */
function deprecated(extension: KubernetesObject): readonly string[] {
  const found = condition(extension, 'Deprecated');
  return found?.status === 'True'
    ? [`${describeObject(extension)}: Deprecated: ${found.message.trim().replace(/\s+/g, ' ')}`]
    : [];
}
