import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** What Go does without any setting of its own. */
const DEFAULT_PROXY = 'https://proxy.golang.org,direct';

/** Where Go modules are fetched from, by the settings of the go command, which may not be there to ask. */
export interface GoProxy {
  /** As it is set, for messages. */
  readonly setting: string;
  /** In the order in which they are tried. */
  readonly proxies: readonly ProxyServer[];
  /** Whether repositories are tried after the last proxy. */
  readonly direct: boolean;
}

export interface ProxyServer {
  readonly url: string;
  /** Whether the next place is tried after any error (`|`), and not only when the module is not found (`,`). */
  readonly mayFail: boolean;
  /** Whether the go command may sign in with credentials that are not part of the address. */
  readonly signsIn: boolean;
}

export function goProxy(setting: string, signsIn: (url: string) => boolean = () => false): GoProxy {
  const places = [...setting.matchAll(/([^,|]+)([,|]?)/g)]
    .map(([, place = '', separator]) => ({ place: place.trim(), mayFail: separator === '|' }))
    .filter(({ place }) => place !== '');
  const end = places.findIndex(({ place }) => place === 'direct' || place === 'off');
  return {
    // A private proxy's password must not end up in a log.
    setting: setting.replace(/\/\/[^/@]*@/g, '//'),
    proxies: (end === -1 ? places : places.slice(0, end))
      .filter(({ place }) => /^(https?|file):/.test(place))
      .map(({ place, mayFail }) => ({ url: place.replace(/\/+$/, ''), mayFail, signsIn: signsIn(place) })),
    direct: places[end]?.place === 'direct',
  };
}

/** The proxy of this machine's user. */
export function configuredGoProxy(env: NodeJS.ProcessEnv = process.env): GoProxy {
  return goProxy(goSetting('GOPROXY', env) ?? DEFAULT_PROXY, credentials(env));
}

/** For which addresses the go command may have credentials: GOAUTH names commands, or the netrc file has the host. */
function credentials(env: NodeJS.ProcessEnv): (url: string) => boolean {
  const methods = (goSetting('GOAUTH', env) ?? 'netrc').split(';').map((method) => method.trim());
  if (methods.some((method) => method !== 'netrc' && method !== 'off')) return () => true;
  const netrc = methods.includes('netrc') ? textOf(env['NETRC'] ?? join(homedir(), '.netrc')) : '';
  const hosts = [...netrc.matchAll(/\bmachine\s+(\S+)/g)].map(([, host]) => host);
  return (url) => hosts.includes(URL.parse(url)?.hostname);
}

/** Where the go command keeps what it has downloaded. */
export function moduleCache(env: NodeJS.ProcessEnv = process.env): string {
  const [path = ''] = (goSetting('GOPATH', env) ?? join(homedir(), 'go')).split(':');
  return goSetting('GOMODCACHE', env) ?? join(path, 'pkg', 'mod');
}

/** A setting of the go command: from the environment, or from the file that `go env -w` writes. */
function goSetting(name: string, env: NodeJS.ProcessEnv): string | undefined {
  return orUndefined(env[name]) ?? orUndefined(settingsIn(settingsFile(env))[name]);
}

function settingsFile(env: NodeJS.ProcessEnv): string {
  return env['GOENV'] ?? join(env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config'), 'go', 'env');
}

function settingsIn(file: string): Record<string, string> {
  const matches = textOf(file).matchAll(/^(\w+)=(.*)$/gm);
  return Object.fromEntries([...matches].map(([, name = '', value = '']) => [name, value]));
}

/** The content of a file; empty if there is none. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function orUndefined(value: string | undefined): string | undefined {
  return value === '' ? undefined : value;
}

/** The path of a module's archive, below a proxy's address and in the module cache alike. */
export function archivePath(module: string, version: string): string {
  const escaped = (text: string): string => text.replace(/[A-Z]/g, (letter) => `!${letter.toLowerCase()}`);
  return `${escaped(module)}/@v/${escaped(version)}.zip`;
}
