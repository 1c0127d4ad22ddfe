import semver from 'semver';
import type { Problem } from '../lib/problem.ts';
import { OPERATOR_VERSION_LABEL } from './constants.ts';

/** What the label `operatorVersion` asks for: a major, and possibly the least version of that major. */
export interface OperatorRequest {
  readonly major: number;
  /** The least operator version that will do; absent when any version of the major does. */
  readonly minimum?: string;
}

/** What one operator has to do with one stack. */
export type Ownership =
  | { readonly kind: 'owned'; readonly request: OperatorRequest }
  /** Another major's stack: hands off, and nothing to report. */
  | { readonly kind: 'foreign'; readonly request: OperatorRequest }
  /** This major's stack, but it asks for a newer operator: change nothing, and say so. */
  | { readonly kind: 'too-old'; readonly request: OperatorRequest; readonly problem: Problem }
  | { readonly kind: 'unlabelled'; readonly problem: Problem }
  | { readonly kind: 'invalid'; readonly problem: Problem };

const LABEL_PATH = `metadata.labels.${OPERATOR_VERSION_LABEL}`;
const NUMBER = '(0|[1-9][0-9]{0,8})';
/** What the label may say: a regular expression that JavaScript and the API server's CEL read alike. */
export const OPERATOR_REQUEST = `^v?${NUMBER}(?:[.]${NUMBER}(?:[.]${NUMBER})?)?$`;
const REQUEST = new RegExp(OPERATOR_REQUEST);
const ALLOWED = 'Use a major such as v3, or a least version such as 3.2 or 3.2.3.';

const UNLABELLED: Problem = {
  path: LABEL_PATH,
  message: 'is missing, so no operator serves this stack',
  remedy: `Write ${OPERATOR_VERSION_LABEL}: v3 for any operator of major 3, or ${OPERATOR_VERSION_LABEL}: '3.2' for 3.2 or newer.`,
};

function invalid(value: string): Problem {
  return { path: LABEL_PATH, value, message: 'is not an operator version', remedy: ALLOWED };
}

/** Reads `v3`, `3`, `3.1` or `3.1.3`; anything else asks for nothing. */
export function parseOperatorRequest(label: string): OperatorRequest | undefined {
  const match = REQUEST.exec(label);
  if (match?.[1] === undefined) return undefined;
  const major = Number(match[1]);
  if (match[2] === undefined) return { major };
  return { major, minimum: `${String(major)}.${match[2]}.${match[3] ?? '0'}` };
}

/** Why no operator at all would serve a stack with this label, if so. */
export function requestProblem(label: string | undefined): Problem | undefined {
  if (label === undefined || label === '') return UNLABELLED;
  return parseOperatorRequest(label) === undefined ? invalid(label) : undefined;
}

/** Decides whether the operator of the given version owns a stack with the given label. */
export function decideOwnership(label: string | undefined, operatorVersion: string): Ownership {
  if (label === undefined || label === '') return { kind: 'unlabelled', problem: UNLABELLED };
  const request = parseOperatorRequest(label);
  if (request === undefined) return { kind: 'invalid', problem: invalid(label) };
  if (semver.major(operatorVersion) !== request.major) return { kind: 'foreign', request };
  if (request.minimum !== undefined && semver.lt(operatorVersion, request.minimum)) {
    const message = `asks for operator ${request.minimum} or newer, but ${operatorVersion} is installed`;
    const remedy = `Upgrade the operator of major ${String(request.major)}, or ask for less with v${String(request.major)}.`;
    return { kind: 'too-old', request, problem: { path: LABEL_PATH, value: label, message, remedy } };
  }
  return { kind: 'owned', request };
}
