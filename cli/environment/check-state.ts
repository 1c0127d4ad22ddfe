import { isEncrypted } from '../../infra/config/environment-file.ts';
import { isObject, type OpenObject } from '../../packages/lib/json.ts';
import type { Problem } from '../../packages/lib/problem.ts';
import type { Backend } from './backend.ts';
import type { Variables } from '../io.ts';

/** What a command does with the state of an environment. */
export type StateUse =
  /** Changes it, and with it the secrets that it holds. */
  | 'written'
  /** Cannot do without it. */
  | 'read'
  /** Reads it if there is one; a new environment has none. */
  | 'optional'
  | 'unused';

/** An environment, as far as the safety of its state is concerned. */
export interface StateOf {
  readonly environment: string;
  /** What the environment's file says. */
  readonly content: OpenObject;
  readonly embedded: boolean;
}

/** Why a command must not work on an environment's state. */
export function checkState(use: StateUse, of: StateOf, backend: Backend, env: Variables): readonly Problem[] {
  if (use === 'unused' || of.embedded) return [];
  if (backend.kind === 'none') return use === 'optional' ? [] : [noBackend(of.environment)];
  const isReadable = env['PULUMI_CONFIG_PASSPHRASE'] === '' && isByPassphrase(of.content, backend);
  return isReadable && (use === 'written' || holdsSecrets(of.content)) ? [emptyPassphrase(of.environment)] : [];
}

function noBackend(environment: string): Problem {
  return {
    object: `environment ${environment}`,
    path: 'backend',
    message: 'nobody has chosen where its state is kept',
    remedy: 'Run `pulumi login`, or set PULUMI_BACKEND_URL. `pulumi login --local` keeps it on this machine.',
  };
}

/** Whether the environment's secrets are encrypted by a passphrase, rather than by a key of a cloud or of Pulumi's service. */
function isByPassphrase({ secretsprovider, encryptionsalt, encryptedkey }: OpenObject, backend: Backend): boolean {
  if (typeof secretsprovider === 'string' && secretsprovider !== '') return secretsprovider === 'passphrase';
  if (encryptionsalt !== undefined) return true;
  if (encryptedkey !== undefined) return false;
  const url = backend.kind === 'none' ? undefined : backend.url;
  return url !== undefined && !/^https?:/.test(url);
}

/** Whether a configuration has secrets, which Pulumi marks by a key of their own, at any depth. */
function holdsSecrets(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsSecrets);
  if (!isObject(value)) return false;
  return isEncrypted(value) || Object.values(value).some(holdsSecrets);
}

function emptyPassphrase(environment: string): Problem {
  return {
    object: `environment ${environment}`,
    path: 'PULUMI_CONFIG_PASSPHRASE',
    message: 'is empty, so everybody who gets the state or the file of the environment can read its secrets',
    remedy: 'Set one, or PULUMI_CONFIG_PASSPHRASE_FILE, or use a key: see `pulumi stack change-secrets-provider`.',
  };
}
