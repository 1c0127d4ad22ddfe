import type { Problem } from '../../../controller/src/problem.ts';
import { archivePath, type GoProxy } from '../go-proxy.ts';
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

/** What no proxy serves, or that none answers. Where nothing is wanted nobody is asked. */
export async function moduleProblems(wanted: readonly WantedModule[], proxy: GoProxy, ask: Ask): Promise<Problem[]> {
  const urls = proxy.urls.filter((url) => !url.startsWith('file:'));
  // From repositories, or from a folder: how that goes can only be seen by doing it.
  if (wanted.length === 0 || urls.length < proxy.urls.length || (urls.length === 0 && proxy.direct)) return [];
  if (urls.length === 0) return [absent(wanted, proxy)];
  const addresses = ({ module, version }: WantedModule): string[] =>
    urls.map((url) => `${url}/${archivePath(module, version)}`);
  const answers = await ask(wanted.flatMap(addresses));
  const answersFor = (module: WantedModule): Answer[] => addresses(module).map((address) => answers.get(address) ?? {});
  const all = wanted.flatMap(answersFor);
  // A mirror that fetches on demand may take longer than we wait: only failures count as silence.
  if (all.every(({ failure }) => failure !== undefined)) return [silent(proxy, all)];
  return wanted.flatMap((module) => {
    const statuses = answersFor(module).map(({ status }) => status);
    const refused = statuses.every((status) => status !== undefined && status >= 400);
    const elsewhere = proxy.direct && statuses.every((status) => NOT_HERE.includes(status ?? 0));
    return refused && !elsewhere ? [notServed(module, proxy, statuses)] : [];
  });
}

function absent(wanted: readonly WantedModule[], proxy: GoProxy): Problem {
  return {
    object: 'Go modules',
    path: 'GOPROXY',
    value: proxy.setting,
    message: `lets nobody be asked, and ${wanted.map(({ module }) => module).join(', ')} was not downloaded before`,
    remedy: 'Set it to the address of a Go module proxy.',
  };
}

function silent(proxy: GoProxy, answers: readonly Answer[]): Problem {
  const failures = [...new Set(answers.flatMap(({ failure }) => failure ?? []))];
  return {
    object: 'Go modules',
    path: 'GOPROXY',
    value: proxy.setting,
    message: 'does not answer',
    remedy: `Check the network, or set it to the address of a Go module proxy. It was said: ${failures.join('; ')}`,
  };
}

function notServed(wanted: WantedModule, proxy: GoProxy, statuses: readonly (number | undefined)[]): Problem {
  return {
    object: `module ${wanted.module}@${wanted.version}`,
    path: 'GOPROXY',
    value: proxy.setting,
    message: `does not serve it: HTTP ${statuses.join(', ')}`,
    remedy: `Use a proxy that serves it, or put ${wanted.programs.join(', ')} on PATH.`,
  };
}
