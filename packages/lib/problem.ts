import { LINE_LIMIT, sentences } from './message.ts';

/**
 * One thing that is wrong with one value of one object, in words that tell the person what to do next.
 * Everything that checks input returns a list of these, so that a person sees all problems at once.
 */
export interface Problem {
  /** What the value belongs to, e.g. `Deployment team-a/chat` or the name of a file. */
  readonly object?: string;
  /** Path of the value inside the object, e.g. `spec.replicas`. */
  readonly path: string;
  /** The value as it was given, where showing it helps and reveals no secret. */
  readonly value?: unknown;
  /** What is wrong, without the path and the value: `must be at least 1`. */
  readonly message: string;
  /** What to do about it: `Use a number from 1 to 100.` */
  readonly remedy?: string;
}

/** One line for one problem: `object: path: message (got value). Remedy.` */
export function formatProblem(problem: Problem): string {
  const where = [problem.object, problem.path].filter((part) => part !== undefined && part !== '').join(': ');
  const got = problem.value === undefined ? '' : ` (got ${formatValue(problem.value)})`;
  const remedy = problem.remedy === undefined ? '' : `. ${problem.remedy}`;
  return `${where === '' ? '' : `${where}: `}${problem.message}${got}${remedy}`;
}

/** Whether a path is that of a value, or of something inside of it. */
export function isWithin(path: string, outer: string): boolean {
  return path === outer || path.startsWith(`${outer}.`) || path.startsWith(`${outer}[`);
}

/** Problems as one line of a status; those that do not fit are counted. */
export function problemLine(problems: readonly Problem[]): string {
  return sentences(problems, LINE_LIMIT, formatProblem);
}

/** Thrown by whatever cannot go on; carries every problem that was found, not only the first. */
export class ProblemsError extends Error {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map(formatProblem).join('\n'));
    this.name = 'ProblemsError';
    this.problems = problems;
  }
}

/** Throws when the list has an entry. */
export function refuse(problems: readonly Problem[]): void {
  if (problems.length > 0) throw new ProblemsError(problems);
}

/** The most of a value that a message shows: enough to recognise it, too little to flood a terminal. */
const VALUE_LIMIT = 80;

function formatValue(value: unknown): string {
  // JSON has no word for functions and symbols; its type does not say so.
  const text = (JSON.stringify(value) as string | undefined) ?? String(value);
  return text.length > VALUE_LIMIT ? `${text.slice(0, VALUE_LIMIT)}…` : text;
}
