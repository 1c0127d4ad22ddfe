import { execFile } from 'node:child_process';

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

/**
 * Namespaces of Linux, in which there is no network, no other process and nobody's privileges. Who may make a user namespace needs no other
 * right; where that is switched off, root may make the others.
 */
const ISOLATED: readonly (readonly string[])[] = [
  ['--user', '--net', '--pid', '--ipc', '--fork', '--kill-child', '--'],
  ['--net', '--pid', '--ipc', '--fork', '--kill-child', '--'],
];

/** No core dumps, no files, few descriptors, bounded time of all processors together, and bounded memory. */
function shellLimits({ seconds, memoryMiB }: Limits): string {
  const limits = ['-c 0', '-f 0', '-n 64', `-t ${String(seconds * 2)}`, `-d ${String(memoryMiB * 1024)}`];
  return `${limits.map((limit) => `ulimit ${limit}`).join('; ')}; exec "$@"`;
}

/** The command that runs a script of Node contained, as far as this machine can. */
export async function containedCommand(
  { program, hardening }: { readonly program: string; readonly hardening: string },
  args: readonly string[],
  limits: Limits,
): Promise<readonly string[]> {
  const readable = [program, hardening].map((file) => `--allow-fs-read=${file}`);
  // What lives is small and lasts, what dies is much and at once: the heap is collected before it doubles, as in the operator's image.
  const heap = [
    `--max-old-space-size=${String(limits.heapMiB)}`,
    '--max-semi-space-size=4',
    '--heap-growing-percent=25',
  ];
  const node = [process.execPath, '--permission', ...readable, ...heap, '--require', hardening, program, ...args];
  return [...(await isolation()), '/bin/sh', '-c', shellLimits(limits), 'sh', ...node];
}

let found: Promise<readonly string[]> | undefined;

/** The command in front of another that isolates it by the kernel; nothing where that cannot be done. */
export function isolation(): Promise<readonly string[]> {
  found ??= findIsolation();
  return found;
}

async function findIsolation(): Promise<readonly string[]> {
  for (const flags of ISOLATED) {
    const command = ['unshare', ...flags];
    if (await succeeds([...command, process.execPath, '--version'])) return command;
  }
  return [];
}

async function succeeds([program = '', ...args]: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    execFile(program, args, { env: {}, timeout: 5000 }, (error) => resolve(error === null));
  });
}
