import type { registerHooks } from 'node:module';
import type { Server, Socket } from 'node:net';

/**
 * What a program may use of Node: computing, and its standard input and output. Everything that leads elsewhere is missing: sockets,
 * files, processes, threads, other ways to load code.
 */
const ALLOWED: readonly string[] = [
  ...['assert', 'assert/strict', 'async_hooks', 'buffer', 'console', 'constants', 'crypto', 'events', 'path'],
  ...['path/posix', 'path/win32', 'perf_hooks', 'process', 'punycode', 'querystring', 'stream', 'stream/consumers'],
  ...[
    'stream/promises',
    'stream/web',
    'string_decoder',
    'timers',
    'timers/promises',
    'url',
    'util',
    'util/types',
    'zlib',
  ],
];

/** Reaches other processes, loads native code, writes files, or gets around the list of modules. */
const PROCESS: readonly string[] = [
  ...[
    'kill',
    '_kill',
    '_debugProcess',
    '_debugEnd',
    'execve',
    'dlopen',
    'binding',
    '_linkedBinding',
    'getBuiltinModule',
  ],
  ...['report', 'setuid', 'seteuid', 'setgid', 'setegid', 'setgroups', 'initgroups'],
  ...['_getActiveHandles', '_getActiveRequests', 'loadEnvFile', '_startProfilerIdleNotifier'],
];

const GLOBALS: readonly string[] = ['fetch', 'WebSocket', 'EventSource', 'BroadcastChannel', 'WebAssembly'];

/** What of the module loader could undo the rest. */
const LOADER: readonly string[] = ['registerHooks', 'register', 'enableCompileCache', 'flushCompileCache'];

/** Standard input and output are sockets of Node, so their class is within reach. They are open already: none has to be opened. */
const SOCKET: readonly string[] = ['connect', 'listen'];

/** The same one floor below: what such a socket is made of in the kernel. `open` takes what is open already, as standard output does. */
const HANDLE: readonly string[] = ['connect', 'connect6', 'bind', 'bind6', 'listen', 'fchmod'];

/** What of the module loader decides which module a name means. It stays as it is. */
const KEPT: readonly string[] = ['isBuiltin', '_load', '_resolveFilename', '_findPath', '_resolveLookupPaths'];

interface Loader {
  readonly isBuiltin: (name: string) => boolean;
  readonly registerHooks: typeof registerHooks;
}

type Target = 'process' | 'globals' | 'loader' | 'socket' | 'server' | 'handle';

/**
 * Runs in the contained process before the program. It is sent there as text, so it uses nothing but what it is given. The program can replace every
 * method of every prototype and every global: the hook, which runs after that, calls nothing that can be replaced.
 */
function harden(
  loader: Loader,
  net: { readonly Socket: typeof Socket; readonly Server: typeof Server },
  allowed: readonly string[],
  kept: readonly string[],
  removed: readonly (readonly [target: Target, names: readonly string[]])[],
): void {
  const { isBuiltin, registerHooks } = loader;
  const targets: Record<Target, object[]> = {
    process: [process],
    globals: [globalThis],
    loader: [loader],
    socket: [net.Socket.prototype],
    server: [net.Server.prototype],
    handle: [],
  };
  // Each may be of another kind: a pipe, a terminal.
  for (const stream of [process.stdin, process.stdout, process.stderr]) {
    const { _handle: handle } = stream as { readonly _handle?: object | null };
    if (handle !== undefined && handle !== null) targets.handle.push(Object.getPrototypeOf(handle) as object);
  }
  for (const [target, names] of removed) {
    for (const object of targets[target]) {
      for (const name of names) {
        Object.defineProperty(object, name, { value: undefined, writable: false, configurable: false });
      }
    }
  }
  for (const name of kept) Object.defineProperty(loader, name, { writable: false, configurable: false });

  const Refusal = Error;
  // Without a prototype, so that nothing is found in it that was not put there.
  const known = Object.create(null) as Record<string, boolean>;
  for (const name of allowed) {
    known[name] = true;
    known[`node:${name}`] = true;
  }
  Object.freeze(known);
  const judge = (name: string, builtin: boolean): void => {
    if (builtin && known[name] !== true) throw new Refusal(`${name} is not available here`);
  };
  registerHooks({
    resolve: (specifier, context, next) => {
      judge(specifier, isBuiltin(specifier));
      const found = next(specifier, context);
      // Another spelling may have led there.
      judge(found.url, found.format === 'builtin' || isBuiltin(found.url));
      return found;
    },
  });
}

/** The source of a module that takes away from a program what it does not need. Node loads it first. */
export function hardeningSource(): string {
  const removed: Readonly<Record<Target, readonly string[]>> = {
    process: PROCESS,
    globals: GLOBALS,
    loader: LOADER,
    socket: SOCKET,
    server: SOCKET,
    handle: HANDLE,
  };
  const given = [ALLOWED, KEPT, Object.entries(removed)].map((value) => JSON.stringify(value));
  return `(${harden.toString()})(require('node:module'), require('node:net'), ${given.join(', ')});\n`;
}
