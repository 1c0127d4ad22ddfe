import { copyFileSync, createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import semver from 'semver';
import { codeOf, messageOf } from '../packages/lib/error.ts';
import { run } from '../packages/lib/command.ts';

/** What a server said about an address: a status, why it could not be asked, or nothing in time. */
export interface Answer {
  readonly status?: number;
  readonly failure?: string;
}

/** Mirrors that fetch on demand answer late, so a slow one gets the benefit of the doubt. */
const PATIENCE_MS = 8000;

/** Versions of Node that can use HTTP_PROXY and HTTPS_PROXY. Older ones run this project too. */
const USES_PROXIES = '>=22.21.0 <23 || >=24.0.0';

/** What the separate process does. */
type Task = { readonly ask: readonly string[] } | { readonly download: string; readonly file: string };

/**
 * Requests are made in a separate process, because Node takes the machine's certificate authorities and proxies only from
 * its command line and its environment, and other requests of this process must not go through a proxy. The addresses go by
 * standard input: they may contain a password, and every user of the machine can read a command line.
 */
async function inSeparateProcess(task: Task, env: NodeJS.ProcessEnv): Promise<string> {
  return run(process.execPath, ['--use-system-ca', fileURLToPath(import.meta.url)], {
    env: { ...env, NODE_USE_ENV_PROXY: '1' },
    input: JSON.stringify(task),
  });
}

/** Fetches an address into a file. */
export async function download(url: string, file: string, env = process.env): Promise<void> {
  if (url.startsWith('file:')) copyFileSync(new URL(url), file);
  else await inSeparateProcess({ download: url, file }, env);
}

/**
 * Asks for all addresses at once whether they would be served, without reading content. If Node cannot use the
 * configured proxy, there are no answers: the go command can use it, so a failure here would mean nothing.
 */
export async function ask(
  urls: readonly string[],
  env = process.env,
  node = process.versions.node,
): Promise<ReadonlyMap<string, Answer>> {
  if (urls.length === 0 || ignoresProxy(env, node)) return new Map();
  return new Map(JSON.parse(await inSeparateProcess({ ask: urls }, env)) as [string, Answer][]);
}

/** Whether a proxy is set that this Node does not use. */
function ignoresProxy(env: NodeJS.ProcessEnv, node: string): boolean {
  const isSet = Object.entries(env).some(([name, value = '']) => /^https?_proxy$/i.test(name) && value !== '');
  return isSet && !semver.satisfies(node, USES_PROXIES);
}

async function answerOf(url: string): Promise<Answer> {
  try {
    const response = await request(url, AbortSignal.timeout(PATIENCE_MS));
    await response.body?.cancel();
    return { status: response.status };
  } catch (error) {
    return error instanceof DOMException && error.name === 'TimeoutError' ? {} : { failure: reason(error) };
  }
}

async function request(url: string, signal: AbortSignal | null = null): Promise<Response> {
  const address = new URL(url);
  const { username, password } = address;
  if (username === '') return fetch(address, { signal });
  // Credentials in an address are common for private proxies, and refused by fetch.
  [address.username, address.password] = ['', ''];
  const credentials = [username, password].map(decodeURIComponent).join(':');
  const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
  return fetch(address, { signal, headers: { authorization } });
}

/** Fetch says only "fetch failed"; the cause knows which name did not resolve, or has only a code. */
function reason(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return messageOf(cause) || codeOf(cause);
}

if (import.meta.main) {
  const task = JSON.parse(await text(process.stdin)) as Task;
  if ('ask' in task) {
    console.log(JSON.stringify(await Promise.all(task.ask.map(async (url) => [url, await answerOf(url)]))));
    // Late answers would keep the process alive.
    process.exit();
  }
  try {
    const response = await request(task.download);
    if (!response.ok || response.body === null) throw new Error(`HTTP ${response.status} ${response.statusText}`);
    await pipeline(Readable.fromWeb(response.body), createWriteStream(task.file));
  } catch (error) {
    console.error(reason(error));
    if (ignoresProxy(process.env, process.versions.node)) {
      console.error(`Node ${process.versions.node} does not use HTTP_PROXY and HTTPS_PROXY. Use Node ${USES_PROXIES}.`);
    }
    process.exitCode = 1;
  }
}
