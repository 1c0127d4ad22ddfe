import type { Problem } from '../../packages/lib/problem.ts';
import { definedOnly } from '../../packages/lib/values.ts';
import type { KnownValues } from './known-values.ts';

const MASK = '[secret]';

type Secrets = Pick<KnownValues, 'secret' | 'secretTexts'>;

/** A text in which no secret can be read. */
export function masked(text: string, { secretTexts }: Pick<Secrets, 'secretTexts'>): string {
  // One may be a part of another.
  const longestFirst = secretTexts.toSorted((one, other) => other.length - one.length);
  return longestFirst.reduce((result, secret) => result.replaceAll(secret, MASK), text);
}

/** A problem in which no secret can be read: neither a secret value, nor one that has a secret inside, nor a word of one in a sentence. */
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
    secret.some((each) => path.startsWith(each)) ||
    secretTexts.some((each) => text.includes(JSON.stringify(each).slice(1, -1)))
  );
}
