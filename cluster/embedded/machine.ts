import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { run } from '../../packages/lib/command.ts';
import { ProblemsError } from '../../packages/lib/problem.ts';
import { isAlive } from '../../toolchain/exclusive.ts';
import { isHolder, readHolder, writeHolder } from './holder.ts';
import type { Layout } from './layout.ts';
import { ELSEWHERE } from '../../toolchain/preflight/embedded-cluster.ts';

/**
 * The cluster runs in namespaces of its own (network, mounts, processes, host name), held open by one process. When that
 * process ends, the kernel ends all others, pods included, and removes their mounts, network devices and packet filter
 * rules, so no cleanup can be forgotten.
 */
const NAMESPACES = ['--net', '--mount', '--uts', '--ipc', '--pid', '--fork', '--mount-proc'];

/**
 * Runs first inside the namespaces. Paths that Kubernetes' programs have hard-wired get a private file system on top, so
 * that nothing is written beside the state directory and another container engine on this machine is not disturbed.
 */
const SETUP = `
set -e
root=$1 name=$2 init=$3
mount --make-rprivate /
mount -t tmpfs -o mode=755 tmpfs /run
for path in /var/lib /var/log; do
  upper=$root/data$path
  mkdir -p "$upper" "$upper.work"
  mount -t overlay overlay -o "lowerdir=$path,upperdir=$upper,workdir=$upper.work" "$path"
done
mount --make-rshared /
hostname "$name"
ip link set lo up
echo 1 > /proc/sys/net/ipv4/ip_forward
exec "$init" -P
`;

/** Starts a program in its own session. Nothing else in the cluster's namespaces has this name. */
const LAUNCHER = 'setsid';

/** A process of the cluster as this machine sees it. */
export interface MachineProcess {
  readonly pid: number;
  readonly name: string;
  readonly executable: string;
}

export class Machine {
  readonly #layout: Layout;

  constructor(layout: Layout) {
    this.#layout = layout;
  }

  /** Process id of the one that holds the namespaces, if the cluster is up. */
  holder(): number | undefined {
    return readHolder(this.#holderFile());
  }

  /** `init` is the program that holds the namespaces open and reaps orphans. */
  async start(init: string): Promise<void> {
    const script = ['sh', '-c', SETUP, 'sh', this.#layout.root, this.#layout.name, init];
    const child = spawn('unshare', [...NAMESPACES, ...script], { detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
    let complaint = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text));
    const ended = new AbortController();
    child.once('error', (error) => (complaint += error.message));
    child.once('close', () => ended.abort());
    const pid = await findHolder(child.pid ?? -1, ended.signal);
    if (pid === undefined) throw noNamespaces(complaint.trim());
    child.stderr.destroy();
    child.unref();
    writeHolder(this.#holderFile(), pid);
  }

  /** Ends every process of the cluster, pods included. */
  async stop(): Promise<void> {
    const pid = this.holder();
    if (pid === undefined) return;
    process.kill(pid, 'SIGKILL');
    while (isAlive(pid)) await delay(20);
  }

  /** Starts a program that goes on when this process ends. Its output is appended to a file. */
  async launch(command: readonly string[], logFile: string, env: NodeJS.ProcessEnv): Promise<void> {
    const script = `log=$1; shift; exec ${LAUNCHER} -f "$@" >>"$log" 2>&1 </dev/null`;
    await this.enter(['sh', '-c', script, 'sh', logFile, ...command], env);
    // setsid has forked by now, but its child may not be the program yet. Looking for the program now would find nothing,
    // as if it had ended.
    while (this.processes().some(({ name }) => name === LAUNCHER)) await delay(5);
  }

  /** Runs a command to its end inside the cluster's namespaces. */
  async enter(command: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<string> {
    const pid = this.holder();
    if (pid === undefined) throw new Error('the cluster is not up');
    const namespaces = ['--mount', '--uts', '--ipc', '--net', '--pid'];
    return run('nsenter', ['--target', String(pid), ...namespaces, '--', ...command], { env });
  }

  /** The processes of the cluster itself, without those of its pods, which have process namespaces of their own. */
  processes(): MachineProcess[] {
    const holder = this.holder();
    if (holder === undefined) return [];
    const namespace = readlinkSync(`/proc/${holder}/ns/pid`);
    return allPids().flatMap((pid) => describeProcess(pid, namespace));
  }

  /** TCP ports on which something listens inside the cluster's network, without the pods' own networks. */
  listeningPorts(): Set<number> {
    const holder = this.holder();
    if (holder === undefined) return new Set();
    const tables = ['tcp', 'tcp6'].map((name) => readFileSync(`/proc/${holder}/net/${name}`, 'utf8'));
    return new Set(tables.flatMap(parseListeningPorts));
  }

  #holderFile(): string {
    return join(this.#layout.run, 'holder.pid');
  }
}

/** unshare forks: its child becomes the holder once it has set everything up. If unshare ends before that, there is none. */
async function findHolder(parent: number, ended: AbortSignal): Promise<number | undefined> {
  while (!ended.aborted) {
    const child = childrenOf(parent).find(isHolder);
    if (child !== undefined) return child;
    await delay(10);
  }
  return undefined;
}

function noNamespaces(complaint: string): ProblemsError {
  const message = `cannot be made: ${complaint}`;
  const remedy = `A container must be privileged to make namespaces and mounts. ${ELSEWHERE}`;
  return new ProblemsError([{ object: 'embedded cluster', path: 'namespaces', message, remedy }]);
}

const LISTEN = '0A';

/** Ports in state LISTEN of a table in /proc/net. */
export function parseListeningPorts(table: string): number[] {
  return table.split('\n').flatMap((line) => {
    const [, local, , state] = line.trim().split(/\s+/);
    return state === LISTEN && local !== undefined ? [parseInt(local.split(':')[1] ?? '', 16)] : [];
  });
}

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

function allPids(): number[] {
  return readdirSync('/proc').map(Number).filter(Number.isInteger);
}

function describeProcess(pid: number, namespace: string): MachineProcess[] {
  try {
    if (readlinkSync(`/proc/${pid}/ns/pid`) !== namespace) return [];
    const executable = readlinkSync(`/proc/${pid}/exe`);
    return [{ pid, name: basename(executable.replace(/ \(deleted\)$/, '')), executable }];
  } catch {
    // It ended while we looked.
    return [];
  }
}
