import type * as pulumi from '@pulumi/pulumi';
import type { InferenceStackSpec } from '../../packages/api/types.ts';

/** A type of the API as a program may write it: every value may also be an output of another resource. */
export type Declared<T> = pulumi.Input<
  T extends readonly (infer Item)[]
    ? Declared<Item>[]
    : T extends object
      ? { [Field in keyof T]: Declared<T[Field]> }
      : T
>;

export interface InferenceStackMetadata {
  /** Name of the stack in the cluster. Without it, the name that the resource has in the program. */
  readonly name?: pulumi.Input<string>;
  /** Without it, the provider's namespace. */
  readonly namespace?: pulumi.Input<string>;
  readonly labels?: Readonly<Record<string, pulumi.Input<string>>>;
  readonly annotations?: Readonly<Record<string, pulumi.Input<string>>>;
}

export interface InferenceStackArgs {
  readonly metadata?: InferenceStackMetadata;
  /** The operator that serves the stack, e.g. `v3` or `3.1`. Needed unless `metadata.labels` has it: it becomes the label of that name. */
  readonly operatorVersion?: pulumi.Input<string>;
  /** What to serve, and how. */
  readonly spec: Declared<InferenceStackSpec>;
  /** How many minutes `up` waits for the stack to become ready, 15 by default; 0 does not wait. */
  readonly waitMinutes?: number;
}
