import type { ApiError } from '../../../packages/kube/client/api-error.ts';
import { describeObject, type ObjectRef } from '../../../packages/kube/object.ts';

/** The API server begins with the object and a verdict, which the reader of a status knows already. */
const VERDICT = /^\S+ "[^"]*" is (?:invalid|forbidden): /;

/** What the API server has against an object, in a sentence that names the object as the status does. */
export function refusal(object: { kind: string; metadata: ObjectRef }, error: ApiError): Error {
  const message = `The API server refuses ${describeObject(object)}: ${error.answer.replace(VERDICT, '')}`;
  return new Error(message, { cause: error });
}
