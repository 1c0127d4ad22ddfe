import type { ApiError } from '../../../packages/kube/client/api-error.ts';
import { describeObject, type ObjectRef } from '../../../packages/kube/object.ts';

interface Named {
  readonly kind: string;
  readonly metadata: ObjectRef;
}

/** The API server begins with the object and a verdict, which the reader of a status knows already. */
const VERDICT = /^\S+ "[^"]*" is (?:invalid|forbidden): /;

/** Why the API server refuses an object, in a sentence that names the object as the status does. */
export function refusal(object: Named, error: ApiError): Error {
  const message = `The API server refuses ${describeObject(object)}: ${error.answer.replace(VERDICT, '')}`;
  return new Error(message, { cause: error });
}

/** What the API server failed to do, and may do at the next try. */
export function serverFailure(action: 'apply' | 'delete', object: Named, error: ApiError): Error {
  return new Error(`The API server fails to ${action} ${describeObject(object)}: ${error.answer}`, { cause: error });
}
