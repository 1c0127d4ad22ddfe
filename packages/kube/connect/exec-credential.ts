import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ProblemsError } from '../../lib/problem.ts';

/** The `exec` entry of a kubeconfig user. */
export interface ExecConfig {
  command: string;
  args?: string[] | null;
  env?: { name: string; value: string }[] | null;
  apiVersion?: string;
  provideClusterInfo?: boolean;
  interactiveMode?: string;
}

/** What a plugin is told of the cluster. */
export interface ExecCluster {
  server: string;
  'certificate-authority-data'?: string;
  'tls-server-name'?: string;
  'insecure-skip-tls-verify'?: boolean;
  /** What the kubeconfig holds for this plugin. */
  config?: unknown;
}

/** A plugin, with the cluster that it is asked for if it wants to know that. */
export interface ExecPlugin extends ExecConfig {
  cluster?: ExecCluster;
}

interface ExecCredential {
  status?: { token?: string; clientCertificateData?: string; expirationTimestamp?: string };
}

/** A token is renewed a little before it ends, so that none expires on its way. */
const EXPIRY_MARGIN_MS = 30_000;

interface Credential {
  readonly token: string;
  readonly expires: number;
}

/**
 * A token from a credential plugin such as those of the cloud providers, kept until it is about to expire. Whoever asks
 * while the plugin runs waits for the same answer: plugins call clouds, open browsers, and write caches of their own.
 */
export function tokenFromExec(exec: ExecPlugin, now: () => number = Date.now): () => Promise<string> {
  let current: Credential | undefined;
  let pending: Promise<Credential> | undefined;
  const renew = async (): Promise<Credential> => {
    try {
      return (current = await runPlugin(exec));
    } finally {
      pending = undefined;
    }
  };
  return async () => {
    if (current !== undefined && now() < current.expires - EXPIRY_MARGIN_MS) return current.token;
    pending ??= renew();
    return (await pending).token;
  };
}

async function runPlugin(exec: ExecPlugin): Promise<Credential> {
  const apiVersion = exec.apiVersion ?? 'client.authentication.k8s.io/v1';
  const { cluster } = exec;
  const spec = { interactive: false, ...(cluster === undefined ? {} : { cluster }) };
  const info = { apiVersion, kind: 'ExecCredential', spec };
  const env = {
    ...process.env,
    ...Object.fromEntries((exec.env ?? []).map(({ name, value }) => [name, value])),
    KUBERNETES_EXEC_INFO: JSON.stringify(info),
  };
  const { stdout } = await promisify(execFile)(exec.command, exec.args ?? [], { env });
  const { status } = parseCredential(exec, stdout);
  if (status?.clientCertificateData !== undefined)
    throw noToken(exec, 'status.clientCertificateData', 'is not supported');
  if (status?.token === undefined) throw noToken(exec, 'status.token', 'is missing in the answer');
  const expires = status.expirationTimestamp === undefined ? Infinity : Date.parse(status.expirationTimestamp);
  return { token: status.token, expires };
}

function parseCredential(exec: ExecConfig, answer: string): ExecCredential {
  try {
    return JSON.parse(answer) as ExecCredential;
  } catch {
    // The parser's own message shows a part of the answer, and the answer holds a token.
    throw noToken(exec, '', 'the answer is no JSON');
  }
}

function noToken({ command }: ExecConfig, path: string, message: string): ProblemsError {
  const remedy = 'Only plugins that give a token are supported; run the command by hand to see what it prints.';
  return new ProblemsError([{ object: `credential plugin ${command}`, path, message, remedy }]);
}
