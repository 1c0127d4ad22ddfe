import type { AppliedDefinition } from '../../components/api/inference-stack-api.ts';
import type { Definition } from '../../components/api/crd-compatibility.ts';
import type { LabelledStack } from '../../components/fleet/removal.ts';
import { isSystemNamespace } from '../../components/guards/system-namespaces.ts';
import { parseOperatorRequest, requestProblem } from '../../packages/api/operator-version.ts';
import { canonicalJson } from '../../packages/kube/apply/fingerprint.ts';
import { objectKey } from '../../packages/kube/object.ts';
import { names } from '../../packages/lib/message.ts';

/** How much of a line is for names. */
export const NAMED = 300;

/** Which stacks nobody would serve any longer, since the operator of their major goes. */
export function removalImpact(stacks: readonly LabelledStack[], removed: readonly number[]): readonly string[] {
  return removed.flatMap((major) => {
    const left = stacks.filter(({ operatorVersion }) => majorOf(operatorVersion) === major);
    if (left.length === 0) return [];
    return [
      `Impact of removing v${String(major)}: ${counted(left)} would be served by nobody (${named(left)}). Their pods stay.`,
    ];
  });
}

/** Which stacks the guards would refuse if they were made, or relabelled, as they are now. */
export function guardImpact(
  stacks: readonly LabelledStack[],
  { majors, guards }: { readonly majors: readonly number[]; readonly guards: 'deny' | 'warn' | 'off' },
): readonly string[] {
  if (guards === 'off') return [];
  const refused = stacks.filter(
    ({ namespace, operatorVersion }) =>
      isSystemNamespace(namespace) ||
      requestProblem(operatorVersion) !== undefined ||
      !majors.some((major) => major === majorOf(operatorVersion)),
  );
  if (refused.length === 0) return [];
  const verb = guards === 'deny' ? 'refused' : 'warned of';
  return [
    `Impact of the guards: ${counted(refused)} would be ${verb} if made anew as they are: a label that no operator serves, or a system namespace (${named(refused)}).`,
  ];
}

/** Whether an API that comes is another than the cluster's. Only then stored stacks have to be looked at. */
export function changesApi(live: readonly Definition[], definitions: readonly AppliedDefinition[]): boolean {
  return definitions.some((definition) => {
    const before = live.find(({ metadata }) => metadata.name === definition.metadata.name);
    return before !== undefined && schemasOf(before) !== schemasOf(definition);
  });
}

function schemasOf({ spec }: Definition): string {
  const versions = spec.versions.map(({ name, served, schema }) => ({ name, served, schema }));
  return canonicalJson(versions, '');
}

function majorOf(label: string | undefined): number | undefined {
  return parseOperatorRequest(label ?? '')?.major;
}

/** `3 InferenceStacks` */
export function counted({ length }: { readonly length: number }): string {
  return length === 1 ? '1 InferenceStack' : `${String(length)} InferenceStacks`;
}

function named(stacks: readonly LabelledStack[]): string {
  return names(stacks, NAMED, objectKey);
}
