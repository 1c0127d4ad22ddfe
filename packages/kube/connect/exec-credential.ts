import { spawn } from 'node:child_process';
import { isatty } from 'node:tty';
import { codeOf, messageOf } from '../../lib/error.ts';
import { ProblemsError } from '../../lib/problem.ts';
import type { Credential } from './connection.ts';

/** The `exec` entry of a kubeconfig user. */
export interface ExecConfig {
  command: string;
  args?: string[] | null;
  env?: { name: string; value: string }[] | null;
  apiVersion?: string;
  provideClusterInfo?: boolean;
  interactiveMode?: string;
  /** What to do where the command is not installed. */
  installHint?: string;
}

/** What a plugin gets to know about the cluster. */
export interface ExecCluster {
  server: string;
  'certificate-authority-data'?: string;
  'tls-server-name'?: string;
  'insecure-skip-tls-verify'?: boolean;
  'proxy-url'?: string;
  /** What the kubeconfig holds for this plugin. */
  config?: unknown;
}

/** A plugin, with the cluster if it asks for that. */
export interface ExecPlugin extends ExecConfig {
  cluster?: ExecCluster;
}

interface ExecCredential {
  status?: {
    token?: string;
    clientCertificateData?: string;
    clientKeyData?: string;
    expirationTimestamp?: string;
  } | null;
}

/** A credential is renewed a little early, so that none expires on its way. */
const EXPIRY_MARGIN_MS = 30_000;

interface ExpiringCredential extends Credential {
  readonly expires: number;
}

/**
 * The credential of a plugin, such as those of cloud providers, kept until it is about to expire. Callers that ask while
 * the plugin runs get the same answer: plugins call clouds, open browsers, and write caches of their own.
 */
export function credentialFromExec(exec: ExecPlugin, now: () => number = Date.now): () => Promise<Credential> {
  let current: ExpiringCredential | undefined;
  let pending: Promise<ExpiringCredential> | undefined;
  const renew = async (): Promise<ExpiringCredential> => {
    try {
      return (current = await askPlugin(exec));
    } finally {
      pending = undefined;
    }
  };
  return async () => {
    if (current !== undefined && now() < current.expires - EXPIRY_MARGIN_MS) return current;
    return (pending ??= renew());
  };
}

/** Whether a plugin can ask a person for something. */
export function isInteractive({ interactiveMode }: ExecConfig): boolean {
  return interactiveMode !== 'Never' && isatty(0);
}

async function askPlugin(exec: ExecPlugin): Promise<ExpiringCredential> {
  const status = parseCredential(exec, await runPlugin(exec)).status ?? {};
  const { token, clientCertificateData: cert, clientKeyData: key, expirationTimestamp } = status;
  if (token === undefined && (cert === undefined || key === undefined)) {
    throw pluginError(exec, 'status', 'has neither a token nor a client certificate with its key');
  }
  const expires = expirationTimestamp === undefined ? Infinity : Date.parse(expirationTimestamp);
  return { token, cert, key, expires };
}

/** What the plugin prints. A person at a terminal sees its questions and can answer them. */
function runPlugin(exec: ExecPlugin): Promise<string> {
  const apiVersion = exec.apiVersion ?? 'client.authentication.k8s.io/v1';
  const { cluster } = exec;
  const interactive = isInteractive(exec);
  const spec = { interactive, ...(cluster === undefined ? {} : { cluster }) };
  const env = {
    ...process.env,
    ...Object.fromEntries((exec.env ?? []).map(({ name, value }) => [name, value])),
    KUBERNETES_EXEC_INFO: JSON.stringify({ apiVersion, kind: 'ExecCredential', spec }),
  };
  return new Promise((resolve, reject) => {
    const person = interactive ? 'inherit' : undefined;
    const plugin = spawn(exec.command, exec.args ?? [], { env, stdio: [person ?? 'ignore', 'pipe', person ?? 'pipe'] });
    let answer = '';
    let complaint = '';
    plugin.stdout?.setEncoding('utf8').on('data', (text: string) => (answer += text));
    plugin.stderr?.setEncoding('utf8').on('data', (text: string) => (complaint += text));
    plugin.on('error', (error) => {
      const missing = codeOf(error) === 'ENOENT';
      reject(pluginError(exec, '', missing ? 'is not installed' : messageOf(error), missing ? exec.installHint : ''));
    });
    plugin.on('close', (code) => {
      if (code === 0) resolve(answer);
      else reject(pluginError(exec, '', `ended with exit code ${code ?? 'none (killed)'}`, complaint.trim()));
    });
  });
}

function parseCredential(exec: ExecConfig, answer: string): ExecCredential {
  try {
    return JSON.parse(answer) as ExecCredential;
  } catch {
    // The parser's own message shows a part of the answer, and the answer holds a token.
    throw pluginError(exec, '', 'the answer is not valid JSON');
  }
}

function pluginError({ command }: ExecConfig, path: string, message: string, hint?: string): ProblemsError {
  const remedy = hint === undefined || hint === '' ? 'Run the command by hand to see what it prints.' : hint;
  return new ProblemsError([{ object: `credential plugin ${command}`, path, message, remedy }]);
}
