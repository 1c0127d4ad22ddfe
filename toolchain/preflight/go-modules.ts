import type { Problem } from '../../packages/lib/problem.ts';
import { archivePath, type GoProxy, type ProxyServer } from '../go-proxy.ts';
import type { Answer } from '../http.ts';

/** An archive that the Go module proxy has to serve. */
export interface WantedModule {
  readonly module: string;
  readonly version: string;
  /** Programs that are made of it. */
  readonly programs: readonly string[];
}

export type Ask = (urls: readonly string[]) => Promise<ReadonlyMap<string, Answer>>;

/** Statuses by which a proxy says that the next place may be tried. */
const NOT_HERE: readonly number[] = [404, 410];

/** Statuses that ask for credentials, which the go command may have. */
const SIGN_IN: readonly number[] = [401, 407];

/** What one proxy said about a module. */
interface Attempt {
  readonly proxy: ProxyServer;
  readonly answer: Answer;
}

/** Modules that no proxy serves, or one problem if no proxy answers. Without modules it asks no proxy. */
export async function moduleProblems(wanted: readonly WantedModule[], proxy: GoProxy, ask: Ask): Promise<Problem[]> {
  const { proxies, direct } = proxy;
  // A folder or a repository: only fetching shows whether it has a module.
  const unasked = proxies.some(({ url }) => url.startsWith('file:')) || (proxies.length === 0 && direct);
  if (wanted.length === 0 || unasked) return [];
  if (proxies.length === 0) return [absent(wanted, proxy)];
  const address = ({ url }: ProxyServer, { module, version }: WantedModule): string =>
    `${url}/${archivePath(module, version)}`;
  const answers = await ask(wanted.flatMap((module) => proxies.map((server) => address(server, module))));
  const attempts = (module: WantedModule): Attempt[] =>
    proxies.map((server) => ({ proxy: server, answer: answers.get(address(server, module)) ?? {} }));
  const failures = wanted.flatMap(attempts).map(({ answer: { failure } }) => failure);
  // A mirror that fetches on demand may take longer than we wait, so a timeout does not count as a failure.
  if (failures.every((failure) => failure !== undefined)) {
    return direct && proxies.every(({ mayFail }) => mayFail) ? [] : [silent(proxy, failures)];
  }
  return wanted.flatMap((module) => {
    const made = attemptsMade(attempts(module));
    const last = made.at(-1);
    if (last === undefined || !isRefusal(last) || (direct && leadsOn(last))) return [];
    return [notServed(module, proxy, made)];
  });
}

/** The go command stops at the first answer that does not lead on. */
function attemptsMade(attempts: readonly Attempt[]): readonly Attempt[] {
  const last = attempts.findIndex((attempt) => !leadsOn(attempt));
  return last === -1 ? attempts : attempts.slice(0, last + 1);
}

/** Whether the go command tries the next place after this answer. */
function leadsOn(attempt: Attempt): boolean {
  const { proxy, answer } = attempt;
  if (NOT_HERE.includes(answer.status ?? 0)) return true;
  return proxy.mayFail && (isRefusal(attempt) || answer.failure !== undefined);
}

/**
 * Whether the go command would be refused as well. That is unknown if it may sign in with credentials of its own.
 * Otherwise 403 counts like 404, because some proxies answer 403 for modules that they do not serve.
 */
function isRefusal({ proxy, answer: { status } }: Attempt): boolean {
  return status !== undefined && status >= 400 && !SIGN_IN.includes(status) && !proxy.signsIn;
}

function absent(wanted: readonly WantedModule[], proxy: GoProxy): Problem {
  return {
    object: 'Go modules',
    path: 'GOPROXY',
    value: proxy.setting,
    message: `allows no downloads, and Go's cache lacks ${wanted.map(({ module }) => module).join(', ')}`,
    remedy: 'Set it to the address of a Go module proxy.',
  };
}

function silent(proxy: GoProxy, failures: readonly string[]): Problem {
  return {
    object: 'Go modules',
    path: 'GOPROXY',
    value: proxy.setting,
    message: 'does not answer',
    remedy: `Check the network, or set it to the address of a Go module proxy. Errors: ${[...new Set(failures)].join('; ')}`,
  };
}

function notServed(wanted: WantedModule, proxy: GoProxy, attempts: readonly Attempt[]): Problem {
  const statuses = attempts.flatMap(({ answer: { status } }) => status ?? []);
  return {
    object: `module ${wanted.module}@${wanted.version}`,
    path: 'GOPROXY',
    value: proxy.setting,
    message: `does not serve it: HTTP ${statuses.join(', ')}`,
    remedy: `Use a proxy that serves it, or put ${wanted.programs.join(', ')} on PATH.`,
  };
}
