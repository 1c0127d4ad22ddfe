import { isObject } from '../../packages/lib/json.ts';
import type { Problem } from '../../packages/lib/problem.ts';

/** Where values of any type may be secrets. */
const SECRET = /\.(env\[\d+\]\.value|accessToken)$/;

/** A problem that quotes no secret. Maps and lists of the wrong type may hold some. */
export function withoutSecrets(problem: Problem): Problem {
  const { value, ...rest } = problem;
  return isObject(value) || Array.isArray(value) || SECRET.test(problem.path) ? rest : problem;
}
