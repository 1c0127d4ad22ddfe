import { shortened } from '../../../packages/lib/message.ts';
import type { Problem } from '../../../packages/lib/problem.ts';

/** A person reads a few, and a spec may have thousands. */
const MOST = 50;

/** Longer values are left out: they may be as large as the stack. */
const VALUE_LIMIT = 200;

const PATH_LIMIT = 1000;

/** Problems as an answer has them: few, and each of them short. */
export function boundedProblems(problems: readonly Problem[]): Problem[] {
  const shown = problems.slice(0, MOST).map(bounded);
  const left = problems.length - shown.length;
  return left === 0 ? shown : [...shown, { path: '', message: `and ${String(left)} more` }];
}

function bounded({ value, path, message, ...rest }: Problem): Problem {
  const { length = Infinity } = (JSON.stringify(value) as string | undefined) ?? {};
  const short = { ...rest, path: shortened(path, PATH_LIMIT), message: shortened(message, PATH_LIMIT) };
  return length <= VALUE_LIMIT ? { ...short, value } : short;
}
