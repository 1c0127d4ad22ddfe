import type { registerHooks } from 'node:module';

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

interface Loader {
  readonly isBuiltin: (name: string) => boolean;
  readonly registerHooks: typeof registerHooks;
}

/** Runs in the contained process before the program. It is sent there as text, so it uses nothing but what it is given. */
function harden(
  loader: Loader,
  allowed: readonly string[],
  removed: readonly (readonly [target: 'process' | 'globals' | 'loader', names: readonly string[]])[],
): void {
  const known = new Set(allowed);
  loader.registerHooks({
    resolve: (specifier, context, next) => {
      const name = specifier.replace(/^node:/, '');
      if (loader.isBuiltin(specifier) && !known.has(name)) throw new Error(`${name} is not available here`);
      return next(specifier, context);
    },
  });
  const targets = { process, globals: globalThis, loader };
  for (const [target, names] of removed) {
    for (const name of names) {
      Object.defineProperty(targets[target], name, { value: undefined, writable: false, configurable: false });
    }
  }
}

/** The source of a module that takes away from a program what it does not need. Node loads it first. */
export function hardeningSource(): string {
  const removed = { process: PROCESS, globals: GLOBALS, loader: LOADER };
  const given = [ALLOWED, Object.entries(removed)].map((value) => JSON.stringify(value));
  return `(${harden.toString()})(require('node:module'), ${given.join(', ')});\n`;
}
