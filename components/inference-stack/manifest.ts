import type * as pulumi from '@pulumi/pulumi';
import {
  GROUP,
  INFERENCE_STACK,
  OPERATOR_VERSION_LABEL,
  STORAGE_VERSION,
  VERSIONS,
} from '../../packages/api/constants.ts';
import { describeObject } from '../../packages/kube/object.ts';
import type { Problem } from '../../packages/lib/problem.ts';
import { objectAt } from '../../packages/lib/json.ts';
import type { InferenceStackArgs, InferenceStackMetadata } from './args.ts';

/** A stack as a program declares it. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: InferenceStackMetadata;
  readonly spec: InferenceStackArgs['spec'];
}

/**
 * The object that is applied. Its name in the cluster is the one in the program: people look for it, and Services are
 * named after it.
 */
export function manifestOf(name: string, { metadata = {}, operatorVersion, spec }: InferenceStackArgs): Manifest {
  const labels: Record<string, pulumi.Input<string>> = { ...metadata.labels };
  if (operatorVersion !== undefined) labels[OPERATOR_VERSION_LABEL] = operatorVersion;
  return {
    apiVersion: `${GROUP}/${STORAGE_VERSION}`,
    kind: INFERENCE_STACK.kind,
    metadata: { name, ...metadata, labels },
    spec,
  };
}

/**
 * What Pulumi called the resource where another served version was stored. Its type is part of its URN: without aliases, a move of the
 * stored version would apply the object as a new resource, and then delete it as the old one.
 */
export const FORMER_TYPES: pulumi.Alias[] = VERSIONS.filter((version) => version !== STORAGE_VERSION).map(
  (version) => ({ type: `kubernetes:${GROUP}/${version}:${INFERENCE_STACK.kind}` }),
);

/** How messages name a stack, as far as its name is known. */
export function describeManifest(name: string, manifest: unknown): string {
  const metadata = objectAt(manifest, 'metadata');
  const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
  const ref = { name: text(metadata['name']) ?? name, namespace: text(metadata['namespace']) };
  return describeObject({ kind: INFERENCE_STACK.kind, metadata: ref });
}

/** Problems of the arguments that are not part of the object. */
export function argumentProblems({
  metadata,
  operatorVersion,
  waitMinutes = 0,
}: InferenceStackArgs): readonly Problem[] {
  const problems: Problem[] = [];
  if (operatorVersion !== undefined && metadata?.labels?.[OPERATOR_VERSION_LABEL] !== undefined) {
    const message = `is also set as metadata.labels.${OPERATOR_VERSION_LABEL}`;
    problems.push({ path: 'operatorVersion', message, remedy: 'Use one of them.' });
  }
  if (!(waitMinutes >= 0)) problems.push({ path: 'waitMinutes', value: waitMinutes, message: 'must be 0 or more' });
  return problems;
}
