import { isWithin, type Problem } from '../../packages/lib/problem.ts';
import { definedOnly } from '../../packages/lib/values.ts';
import type { KnownValues } from './known-values.ts';

const MASK = '[secret]';

type Secrets = Pick<KnownValues, 'secret' | 'secretTexts'>;

/** The text with all secrets masked. */
export function masked(text: string, { secretTexts }: Pick<Secrets, 'secretTexts'>): string {
  // One secret may be part of another.
  const longestFirst = secretTexts.toSorted((one, other) => other.length - one.length);
  return longestFirst.reduce((result, secret) => result.replaceAll(secret, MASK), text);
}

/** The problem without secrets: neither as its value, nor inside it, nor in its sentences. */
export function withoutSecrets(problem: Problem, secrets: Secrets): Problem {
  const { value, message, remedy, ...rest } = problem;
  return definedOnly({
    ...rest,
    value: value !== undefined && isSecret(value, problem.path, secrets) ? MASK : value,
    message: masked(message, secrets),
    remedy: remedy === undefined ? undefined : masked(remedy, secrets),
  });
}

function isSecret(value: unknown, path: string, { secret, secretTexts }: Secrets): boolean {
  const text = JSON.stringify(value);
  return (
    secret.some((each) => isWithin(path, each)) ||
    secretTexts.some((each) => text.includes(JSON.stringify(each).slice(1, -1)))
  );
}
