import { execFile } from 'node:child_process';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** How much a contained program may use. */
export interface Limits {
  /** From its start to its end. */
  readonly seconds: number;
  /** What the program's values may take. */
  readonly heapMiB: number;
  /** What the process may take, with what is not in the heap, such as buffers. The kernel of Linux enforces it. */
  readonly memoryMiB: number;
  /** The longest line that it may print. */
  readonly lineBytes: number;
}

const MIB = 1024 * 1024;

/** 3,000 stacks take a few seconds on an idle machine, and what one stack renders to is bounded by the API. */
export const LIMITS: Limits = { seconds: 300, heapMiB: 256, memoryMiB: 1024, lineBytes: 16 * MIB };

/** What of a machine the kernel can keep out by itself, whatever the program makes of Node. */
export interface Isolation {
  /** The command in front of another that isolates it; it has to run in a folder of its own. Empty where that cannot be done. */
  readonly command: readonly string[];
  /** A namespace of the network does not keep out the sockets that are files, such as that of a container engine: only another root does. */
  readonly keepsOut: readonly ('network' | 'files')[];
}

/** Where the libraries of Node and a shell are, and no sockets. */
const NEEDED_FOLDERS = [
  '/bin',
  '/lib',
  '/lib64',
  '/usr/lib',
  '/usr/lib64',
  '/usr/local/lib',
  '/nix/store',
  '/gnu/store',
];

/**
 * Makes a root of nothing but Node, its libraries and the folder that this runs in, for the command that follows. Node and the folder come first: making
 * them after the others could write to what is mounted there already.
 */
const MAKE_ROOT = [
  'root=$PWD/root; node=$1; shift',
  'mkdir -p "$root"; mount -t tmpfs -o mode=0755,size=1m tmpfs "$root"',
  'mkdir -p "$root${node%/*}"; : > "$root$node"; mount --bind "$node" "$root$node"',
  'mkdir -p "$root$PWD"; mount --bind "$PWD" "$root$PWD"',
  `for folder in ${NEEDED_FOLDERS.join(' ')}; do`,
  'if [ -d "$folder" ]; then mkdir -p "$root$folder"; mount --rbind "$folder" "$root$folder"; fi; done',
  'mount -o remount,bind,ro "$root"; exec "$@"',
].join('\n');

/** Namespaces of Linux, in which there is no network, no other process and nobody's privileges. */
const NAMESPACES = ['--net', '--pid', '--ipc', '--fork', '--kill-child'];

/** A root of its own is made in outer namespaces, whose privileges the inner ones do not have: nobody in there can undo it. */
function inNewRoot(outer: readonly string[], inner: readonly string[]): Isolation {
  const make = ['/bin/sh', '-ec', MAKE_ROOT, 'sh', process.execPath];
  const command = [
    'unshare',
    ...outer,
    '--mount',
    '--',
    ...make,
    'unshare',
    ...inner,
    ...NAMESPACES,
    '--root=root',
    '--',
  ];
  return { command, keepsOut: ['network', 'files'] };
}

function inOldRoot(flags: readonly string[]): Isolation {
  return { command: ['unshare', ...flags, ...NAMESPACES, '--'], keepsOut: ['network'] };
}

/** The best first. Who may make a user namespace needs no other right; where that is switched off, root may make the others. */
const ISOLATIONS: readonly Isolation[] = [
  inNewRoot(['--user', '--map-root-user'], ['--user']),
  inNewRoot([], []),
  inOldRoot(['--user']),
  inOldRoot([]),
];

/** What there is on machines without namespaces. */
export const NOT_ISOLATED: Isolation = { command: [], keepsOut: [] };

/** No core dumps, no files, few descriptors, bounded time of all processors together, and bounded memory. */
function shellLimits({ seconds, memoryMiB }: Limits): string {
  const limits = ['-c 0', '-f 0', '-n 64', `-t ${String(seconds * 2)}`, `-d ${String(memoryMiB * 1024)}`];
  return `${limits.map((limit) => `ulimit ${limit}`).join('; ')}; exec "$@"`;
}

/** The command that runs a script of Node contained, by the kernel as well as that isolates. */
export function containedCommand(
  { program, hardening }: { readonly program: string; readonly hardening: string },
  args: readonly string[],
  limits: Limits,
  { command }: Isolation,
): readonly string[] {
  const readable = [program, hardening].map((file) => `--allow-fs-read=${file}`);
  // What lives is small and lasts, what dies is much and at once: the heap is collected before it doubles, as in the operator's image.
  const heap = [
    `--max-old-space-size=${String(limits.heapMiB)}`,
    '--max-semi-space-size=4',
    '--heap-growing-percent=25',
  ];
  const node = [process.execPath, '--permission', ...readable, ...heap, '--require', hardening, program, ...args];
  return [...command, '/bin/sh', '-c', shellLimits(limits), 'sh', ...node];
}

let found: Promise<Isolation> | undefined;

/** How the kernel of this machine can isolate a program. */
export function isolation(): Promise<Isolation> {
  found ??= findIsolation();
  return found;
}

async function findIsolation(): Promise<Isolation> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'isolation-')));
  try {
    for (const one of ISOLATIONS) {
      // The shell as well: it sets the limits in there.
      const trial = [...one.command, '/bin/sh', '-c', 'exec "$@"', 'sh', process.execPath, '--version'];
      if (await succeeds(trial, directory)) return one;
    }
    return NOT_ISOLATED;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function succeeds([program = '', ...args]: readonly string[], cwd: string): Promise<boolean> {
  return new Promise((resolve) => {
    execFile(program, args, { cwd, env: {}, timeout: 5000 }, (error) => resolve(error === null));
  });
}
