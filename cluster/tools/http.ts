import { copyFileSync, createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { codeOf, messageOf } from '../../controller/src/error.ts';
import { run } from '../../components/process/command.ts';

/** What a server said about an address: a status, why it could not be asked, or nothing within the time. */
export interface Answer {
  readonly status?: number;
  readonly failure?: string;
}

/** On-demand mirrors fetch a file before they answer: one that is slow is given the benefit of the doubt. */
const PATIENCE_MS = 8000;

/**
 * Requests are made in a process of their own, because Node takes the machine's certificate authorities and proxies only from
 * its command line and its environment, and other requests of this process must not go through a proxy.
 */
async function inOwnProcess(args: readonly string[]): Promise<string> {
  const env = { ...process.env, NODE_USE_ENV_PROXY: '1' };
  return run(process.execPath, ['--use-system-ca', fileURLToPath(import.meta.url), ...args], { env });
}

/** Fetches a file into another. */
export async function download(url: string, file: string): Promise<void> {
  if (url.startsWith('file:')) copyFileSync(new URL(url), file);
  else await inOwnProcess(['download', url, file]);
}

/** Asks for each address whether it would be served, all at once, and reads no content. */
export async function ask(urls: readonly string[]): Promise<ReadonlyMap<string, Answer>> {
  if (urls.length === 0) return new Map();
  return new Map(JSON.parse(await inOwnProcess(['ask', ...urls])) as [string, Answer][]);
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
  const [verb, ...args] = process.argv.slice(2);
  if (verb === 'ask') {
    console.log(JSON.stringify(await Promise.all(args.map(async (url) => [url, await answerOf(url)]))));
    // Answers that nobody waits for any more would keep the process alive.
    process.exit();
  }
  const [url = '', file = ''] = args;
  try {
    const response = await request(url);
    if (!response.ok || response.body === null) throw new Error(`HTTP ${response.status} ${response.statusText}`);
    await pipeline(Readable.fromWeb(response.body), createWriteStream(file));
  } catch (error) {
    console.error(reason(error));
    process.exitCode = 1;
  }
}
