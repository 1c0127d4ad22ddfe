import type { Problem } from '../lib/problem.ts';

/** A text that has to have a certain form, as the API server checks it. */
export interface Form {
  readonly pattern: RegExp;
  readonly most: number;
  /** What it may consist of, for a person. */
  readonly message: string;
  readonly remedy: string;
}

const LETTERS = "must consist of lower-case letters, digits and '-', and start and end with a letter or digit";

export const DNS_LABEL: Form = {
  pattern: /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/,
  most: 63,
  message: LETTERS,
  remedy: 'Write a name like team-a.',
};

export const DNS_SUBDOMAIN: Form = {
  pattern: /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/,
  most: 253,
  message: "must consist of lower-case letters, digits, '-' and '.', and start and end with a letter or digit",
  remedy: 'Write a name like chat-2.',
};

const LABEL_NAME: Form = {
  pattern: /^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/,
  most: 63,
  message: "must consist of letters, digits, '-', '_' and '.', and start and end with a letter or digit",
  remedy: 'Write a key like team or example.com/team.',
};

const LABEL_VALUE: Form = {
  ...LABEL_NAME,
  pattern: /^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$/,
  remedy: 'Use an annotation for other texts.',
};

export const PORT_NAME: Form = {
  pattern: /^(?=.*[a-z])[a-z0-9]+(-[a-z0-9]+)*$/,
  most: 15,
  message: "must consist of lower-case letters, digits and single '-', with a letter among them",
  remedy: 'Write a name like http.',
};

export const VARIABLE: Form = {
  pattern: /^[-._a-zA-Z][-._a-zA-Z0-9]*$/,
  most: 1024,
  message: "must consist of letters, digits, '_', '-' and '.', and not start with a digit",
  remedy: 'Write a name like HF_TOKEN.',
};

/** What is wrong with a text: that it is too long is said as such, with how long it is. */
export function formProblems(value: unknown, path: string, form: Form): Problem[] {
  const { pattern, most, message, remedy } = form;
  if (typeof value !== 'string') return [];
  if (value.length > most) {
    const over = value.length - most;
    const long = `has ${value.length} characters, but may have ${most} at most`;
    return [{ path, value, message: long, remedy: `Leave out at least ${over === 1 ? 'one' : over}.` }];
  }
  return pattern.test(value) ? [] : [{ path, value, message, remedy }];
}

/** A key of labels or annotations, or the name of a resource: `name` or `example.com/name`. */
export function keyProblems(key: string, path: string): Problem[] {
  const [first = '', second, ...rest] = key.split('/');
  const where = { path, value: key };
  if (rest.length > 0) {
    return [{ ...where, message: "has more than one '/'", remedy: LABEL_NAME.remedy }];
  }
  if (second === undefined) return named(first, where);
  const prefix = formProblems(first, path, DNS_SUBDOMAIN).map((problem) => ({
    ...problem,
    ...where,
    message: `its part before the '/' ${problem.message}`,
    remedy: LABEL_NAME.remedy,
  }));
  return [...prefix, ...named(second, where)];
}

function named(name: string, where: Pick<Problem, 'path' | 'value'>): Problem[] {
  if (name === '') return [{ ...where, message: 'has no name', remedy: LABEL_NAME.remedy }];
  return formProblems(name, where.path, LABEL_NAME).map((problem) => ({ ...problem, ...where }));
}

/** Labels, or what selects by them. The values of some have a meaning, and so a check of their own. */
export function labelProblems(labels: unknown, path: string, unless: readonly string[] = []): Problem[] {
  return entriesOf(labels).flatMap(([key, value]) => [
    ...keyProblems(key, `${path}.${key}`),
    ...(unless.includes(key) ? [] : formProblems(value, `${path}.${key}`, LABEL_VALUE)),
  ]);
}

/** Annotations, whose values may be anything. Unlike those of labels, their keys may begin with capitals: Kubernetes judges them in lower case. */
export function annotationProblems(annotations: unknown, path: string): Problem[] {
  return entriesOf(annotations).flatMap(([key]) =>
    keyProblems(key.toLowerCase(), `${path}.${key}`).map((problem) => ({ ...problem, value: key })),
  );
}

function entriesOf(map: unknown): [string, unknown][] {
  return typeof map === 'object' && map !== null && !Array.isArray(map) ? Object.entries(map) : [];
}
