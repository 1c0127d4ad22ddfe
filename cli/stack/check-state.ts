import yaml from 'js-yaml';
import { isObject } from '../../packages/lib/json.ts';
import type { Problem } from '../../packages/lib/problem.ts';
import type { Backend } from './backend.ts';

/** What a command does with the state of a stack. */
export type StateUse =
  /** Changes it, and with it the secrets that it holds. */
  | 'written'
  /** Cannot do without it. */
  | 'read'
  /** Does without it where there is none, as for a new stack. */
  | 'optional'
  | 'unused';

/** A stack, as far as the safety of its state is concerned. */
export interface StateOf {
  readonly stack: string;
  /** The text of the stack's file. */
  readonly text: string;
  readonly embedded: boolean;
}

/** Why a command must not work on a stack's state. */
export function checkState(
  use: StateUse,
  of: StateOf,
  backend: Backend,
  env: Readonly<Record<string, string | undefined>>,
): readonly Problem[] {
  if (use === 'unused' || of.embedded) return [];
  if (backend.kind === 'none') return use === 'optional' ? [] : [noBackend(of.stack)];
  const file = yaml.load(of.text);
  const isReadable = env['PULUMI_CONFIG_PASSPHRASE'] === '' && isByPassphrase(file, backend);
  return isReadable && (use === 'written' || holdsSecrets(file)) ? [emptyPassphrase(of.stack)] : [];
}

function noBackend(stack: string): Problem {
  return {
    object: `stack ${stack}`,
    path: 'backend',
    message: 'nobody has chosen where its state is kept',
    remedy: 'Run `pulumi login`, or set PULUMI_BACKEND_URL. `pulumi login --local` keeps it on this machine.',
  };
}

/** Whether the stack's secrets are encrypted by a passphrase, rather than by a key of a cloud or of Pulumi's service. */
function isByPassphrase(file: unknown, backend: Backend): boolean {
  const { secretsprovider, encryptionsalt, encryptedkey } = isObject(file) ? file : {};
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
  return typeof value['secure'] === 'string' || Object.values(value).some(holdsSecrets);
}

function emptyPassphrase(stack: string): Problem {
  return {
    object: `stack ${stack}`,
    path: 'PULUMI_CONFIG_PASSPHRASE',
    message: 'is empty, so everybody who gets the state or the file of the stack can read its secrets',
    remedy:
      'Set one, also as PULUMI_CONFIG_PASSPHRASE_FILE, or use a key: `pulumi stack change-secrets-provider` changes either.',
  };
}
