import type { OpenObject } from '../../../../packages/lib/json.ts';

/** A spec, or a name, that is either fine or refused at one path. Both the API server and `validate` judge it. */
export interface ValidationCase {
  readonly title: string;
  readonly spec: OpenObject;
  readonly name?: string;
  /** Where the problem is; absent when there is none. Empty for the object as a whole. */
  readonly path?: string;
  /** What the answer of `validate` says there. */
  readonly message?: RegExp;
}

/** A spec with one application, `llama`. */
export const app = (application: unknown): OpenObject => ({ applications: { llama: application } });
