import { readFile } from 'node:fs/promises';
import type { Agent } from 'node:http';
import type { AgentOptions } from 'node:https';
import { ProblemsError } from '../../lib/problem.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** A credential that may change with time. */
export interface Credential {
  readonly token?: string | undefined;
  /** PEM of a client certificate and its key. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

/** Where an API server is and how to authenticate. */
export interface Connection {
  readonly server: URL;
  /** PEM; the system's authorities when missing. */
  readonly ca?: string | undefined;
  /** PEM of a client certificate and its key. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  readonly serverName?: string | undefined;
  readonly insecureSkipTlsVerify?: boolean | undefined;
  /** Asked before every request, because it may be renewed at any time. */
  readonly credential?: (() => Promise<Credential>) | undefined;
  /** Makes the agents of a connection that leads through a proxy. */
  readonly proxyAgent?: ((options: AgentOptions) => Agent) | undefined;
  /** Sent with every request, e.g. to act as somebody else. */
  readonly headers?: Readonly<Record<string, string | string[]>> | undefined;
  /** The namespace that the configuration prefers. */
  readonly namespace?: string | undefined;
}

const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';

/** The connection that the kubelet gives to every pod. */
export async function inClusterConnection(
  env: Environment = process.env,
  directory = SERVICE_ACCOUNT,
): Promise<Connection> {
  const host = env['KUBERNETES_SERVICE_HOST'];
  const port = env['KUBERNETES_SERVICE_PORT'] ?? '443';
  if (host === undefined || host === '') {
    throw new ProblemsError([
      {
        path: 'KUBERNETES_SERVICE_HOST',
        message: 'is not set, so this process does not run in a pod',
        remedy: 'Set KUBECONFIG to the path of a kubeconfig file.',
      },
    ]);
  }
  return {
    server: new URL(`https://${host.includes(':') ? `[${host}]` : host}:${port}`),
    ca: await readFile(`${directory}/ca.crt`, 'utf8'),
    namespace: (await readFile(`${directory}/namespace`, 'utf8')).trim(),
    credential: tokenFromFile(`${directory}/token`),
  };
}

/** How long a token from a file is used before the file is read again, as client-go does. */
const TOKEN_FILE_PERIOD_MS = 60_000;

/** A token that something else keeps fresh in a file. */
export function tokenFromFile(path: string, now: () => number = monotonic): () => Promise<Credential> {
  let credential: Credential | undefined;
  let readAt = -Infinity;
  return async () => {
    if (credential !== undefined && now() - readAt < TOKEN_FILE_PERIOD_MS) return credential;
    try {
      credential = { token: (await readFile(path, 'utf8')).trim() };
      readAt = now();
    } catch (error) {
      // The token that was read before is usually valid for some time yet.
      if (credential === undefined) throw error;
    }
    return credential;
  };
}

/** A clock that nobody can set back: otherwise the old token would be used until the clock had caught up. */
function monotonic(): number {
  return performance.now();
}
