import { ProblemsError } from '../../packages/lib/problem.ts';

/** A file of a preview that does not say what it should, mostly because the preview ended before it could. */
export function unreadable(object: string, message: string): ProblemsError {
  return new ProblemsError([{ object, path: '', message, remedy: 'The output of the preview says why.' }]);
}
