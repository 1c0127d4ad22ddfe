import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeEmbeddedCluster } from '../../cluster/embedded-cluster.ts';
import { checkout } from '../../packages/lib/checkout.ts';
import { isObject } from '../../packages/lib/json.ts';
import { codeOf } from '../../packages/lib/error.ts';
import { readYaml } from '../../packages/lib/read-yaml.ts';
import type { Variables } from '../io.ts';

/** Where an environment's state is kept. */
export type Backend =
  /** With the embedded cluster, and deleted with it: Pulumi would expect the old cluster's objects in the next one. */
  | { readonly kind: 'embedded'; readonly url: string }
  /** Where somebody chose. The place is not known here if Pulumi keeps it encrypted. */
  | { readonly kind: 'chosen'; readonly url?: string }
  | { readonly kind: 'none' };

/** Reads a file; undefined when there is none. */
export type ReadIfThere = (path: string) => string | undefined;

/**
 * Where the state of an environment is kept, found as Pulumi finds it. Only an environment of the embedded cluster has
 * a default: for any other cluster, a second, empty state would create everything again that is there already.
 */
export function findBackend(
  env: Variables,
  { embedded }: { readonly embedded: boolean },
  read: ReadIfThere = readIfThere,
): Backend {
  const given = env['PULUMI_BACKEND_URL'] ?? '';
  if (given !== '') return { kind: 'chosen', url: given };
  if (embedded) return { kind: 'embedded', url: `file://${join(describeEmbeddedCluster(env).directory, 'pulumi')}` };
  const project = projectBackend(read(join(checkout, 'Pulumi.yaml')));
  if (project !== undefined) return { kind: 'chosen', url: project };
  const login = loggedIn(read(credentialsFile(env)));
  if (login.kind === 'none' && (env['PULUMI_ACCESS_TOKEN'] ?? '') !== '') return { kind: 'chosen', url: PULUMI_CLOUD };
  return login;
}

/** State on this machine without secrets, so it needs no passphrase. */
export function localState(env: Variables, url: string): Variables {
  const isGiven = ['PULUMI_CONFIG_PASSPHRASE', 'PULUMI_CONFIG_PASSPHRASE_FILE'].some((name) => env[name] !== undefined);
  return { PULUMI_BACKEND_URL: url, ...(isGiven ? {} : { PULUMI_CONFIG_PASSPHRASE: '' }) };
}

/** Runs the work with a temporary state, to preview an environment that has none. */
export async function withTemporaryState<T>(env: Variables, work: (state: Variables) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'fleet-state-'));
  try {
    return await work(localState(env, `file://${directory}`));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

const PULUMI_CLOUD = 'https://api.pulumi.com';

/** Where the person's `pulumi login` is remembered. */
function credentialsFile(env: Variables): string {
  const [directory] = [env['PULUMI_CREDENTIALS_PATH'], env['PULUMI_HOME']].filter((path) => (path ?? '') !== '');
  return join(directory ?? join(homedir(), '.pulumi'), 'credentials.json');
}

function projectBackend(text: string | undefined): string | undefined {
  const project = text === undefined ? undefined : readYaml(text, 'Pulumi.yaml');
  const backend = isObject(project) ? project['backend'] : undefined;
  const url = isObject(backend) ? backend['url'] : undefined;
  return typeof url === 'string' && url !== '' ? url : undefined;
}

function loggedIn(text: string | undefined): Backend {
  if (text === undefined || text.trim() === '') return { kind: 'none' };
  const credentials = parse(text);
  // Encrypted by the keyring of the machine, or broken: either way Pulumi has to read it.
  if (!isObject(credentials) || ENCRYPTED in credentials) return { kind: 'chosen' };
  const { current } = credentials;
  return typeof current === 'string' && current !== '' ? { kind: 'chosen', url: current } : { kind: 'none' };
}

/** What marks credentials that Pulumi has encrypted. */
const ENCRYPTED = '$pulumiSecureStore';

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
