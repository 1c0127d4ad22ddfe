import { valueAt } from '../../lib/json.ts';
import { ProblemsError, type Problem } from '../../lib/problem.ts';
import type { Credential } from './connection.ts';

/**
 * The token of a kubeconfig user that logs in by OpenID Connect. kubectl renews it and writes both tokens back, since many
 * providers take each refresh token once. Two programs that renew would log each other out, so this one only reads.
 */
export function tokenFromOidc(
  readIdToken: () => Promise<string>,
  where: Required<Pick<Problem, 'object' | 'path'>>,
  now: () => number = Date.now,
): () => Promise<Credential> {
  let token = '';
  return async () => {
    if (!isGood(token, now())) token = await readIdToken();
    if (isGood(token, now())) return { token };
    const remedy =
      'Run any kubectl command with this kubeconfig, such as `kubectl version`: it renews the token there.';
    const message = token === '' ? 'is missing' : 'has expired';
    throw new ProblemsError([{ ...where, path: `${where.path}.auth-provider.config.id-token`, message, remedy }]);
  };
}

/** Looks only at the expiry. The API server checks the rest, and refuses a token that cannot be read. */
function isGood(token: string, now: number): boolean {
  return token !== '' && now < expiry(token);
}

function expiry(token: string): number {
  try {
    const payload = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8');
    const seconds = valueAt(JSON.parse(payload), 'exp');
    return typeof seconds === 'number' ? seconds * 1000 : Infinity;
  } catch {
    return Infinity;
  }
}
