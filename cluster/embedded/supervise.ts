import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ProblemsError } from '../../packages/lib/problem.ts';
import { isAlive } from '../../toolchain/exclusive.ts';
import type { Component, ComponentContext } from './component.ts';
import { writePrivate } from './files.ts';
import type { Layout } from './layout.ts';
import type { Machine, MachineProcess } from './machine.ts';

/** How long a process may take to end before it is killed. */
const STOP_MS = 5000;
const LOG_LINES = 12;

/** Starts what does not run and restarts what runs with other settings. Returns the names of what was started. */
export async function ensureRunning(
  components: readonly Component[],
  machine: Machine,
  context: ComponentContext,
): Promise<string[]> {
  const started: string[] = [];
  for (const component of components) {
    const executable = context.program(component.name);
    const fingerprint = fingerprintOf(component, executable);
    const fingerprintFile = join(context.layout.run, `${component.name}.fingerprint`);
    const running = findProcess(machine, component.name);
    if (running !== undefined && readIfExists(fingerprintFile) === fingerprint) continue;
    if (running !== undefined) await stopProcess(running);
    refuseTakenPort(component, machine);
    for (const [path, content] of Object.entries(component.files ?? {})) writePrivate(path, content);
    await machine.launch(
      [executable, ...component.args],
      logPath(context.layout, component.name),
      variablesOf(context),
    );
    writePrivate(fingerprintFile, fingerprint);
    started.push(component.name);
  }
  return started;
}

export function findProcess(machine: Machine, name: string): MachineProcess | undefined {
  return machine.processes().find((process) => process.name === name);
}

export function logPath(layout: Layout, name: string): string {
  return join(layout.logs, `${name}.log`);
}

/** The end of a component's log, for a message about its failure. */
export function logTail(layout: Layout, name: string): string {
  const lines = readIfExists(logPath(layout, name))?.trimEnd().split('\n') ?? [];
  return lines.slice(-LOG_LINES).join('\n');
}

async function stopProcess(process_: MachineProcess): Promise<void> {
  process.kill(process_.pid, 'SIGTERM');
  const deadline = Date.now() + STOP_MS;
  while (isAlive(process_.pid) && Date.now() < deadline) await delay(20);
  if (isAlive(process_.pid)) process.kill(process_.pid, 'SIGKILL');
  while (isAlive(process_.pid)) await delay(20);
}

/** Nothing of ours uses the port at this point, so a listener is a stranger. */
function refuseTakenPort(component: Component, machine: Machine): void {
  if (component.port === undefined || !machine.listeningPorts().has(component.port)) return;
  throw new ProblemsError([
    {
      object: `embedded cluster, ${component.name}`,
      path: 'port',
      value: component.port,
      message: "is taken by another process in the cluster's network namespace",
      remedy: 'Run "make cluster-down" and "make cluster-up".',
    },
  ]);
}

/** Programs of the cluster find each other, and the few tools of the system that they call. */
function variablesOf(context: ComponentContext): NodeJS.ProcessEnv {
  const own = ['containerd-shim-runc-v2', 'runc', 'kubectl'].map((name) => dirname(context.program(name)));
  const path = [...new Set(own), '/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];
  return { PATH: path.join(':'), HOME: context.layout.root };
}

function fingerprintOf(component: Component, executable: string): string {
  const text = JSON.stringify([executable, component.args, component.files ?? {}]);
  return createHash('sha256').update(text).digest('hex');
}

function readIfExists(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
