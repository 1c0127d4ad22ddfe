import { readFile } from 'node:fs/promises';
import { ProblemsError } from '../../lib/problem.ts';

/** Where an API server is and how to show who we are. */
export interface Connection {
  readonly server: URL;
  /** PEM; the system's authorities when missing. */
  readonly ca?: string;
  /** PEM of a client certificate and its key. */
  readonly cert?: string;
  readonly key?: string;
  readonly serverName?: string;
  readonly insecureSkipTlsVerify?: boolean;
  /** Asked before every request, because a token may be renewed at any time. */
  readonly token?: () => Promise<string>;
  /** Sent with every request, e.g. to act as somebody else. */
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** The namespace that the configuration prefers. */
  readonly namespace?: string;
}

const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';

/** The connection that the kubelet gives to every pod. */
export async function inClusterConnection(
  env: Readonly<Record<string, string | undefined>> = process.env,
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
    token: tokenFromFile(`${directory}/token`),
  };
}

/** How long a token from a file is used before the file is read again, as client-go does. */
const TOKEN_FILE_PERIOD_MS = 60_000;

/** A token that something else keeps fresh in a file. */
export function tokenFromFile(path: string, now: () => number = monotonic): () => Promise<string> {
  let token: string | undefined;
  let readAt = -Infinity;
  return async () => {
    if (token !== undefined && now() - readAt < TOKEN_FILE_PERIOD_MS) return token;
    try {
      token = (await readFile(path, 'utf8')).trim();
      readAt = now();
    } catch (error) {
      // The one that was read before is mostly good for some time yet.
      if (token === undefined) throw error;
    }
    return token;
  };
}

/** A clock that nobody sets back: the old token would be used until it had caught up. */
function monotonic(): number {
  return performance.now();
}
