import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { ProblemsError } from '../../packages/lib/problem.ts';
import type { Client } from '../../packages/kube/client/client.ts';
import { NODE } from './api-objects.ts';
import type { Layout } from './layout.ts';
import type { Machine } from './machine.ts';
import { findProcess, logPath, logTail } from './supervise.ts';

const POLL_MS = 100;
const DEADLINE_MS = 120_000;

/** Waits for a condition. Gives up when the process that should fulfil it has ended. */
export async function waitFor(
  layout: Layout,
  machine: Machine,
  component: string,
  what: string,
  check: () => Promise<boolean>,
): Promise<void> {
  const deadline = Date.now() + DEADLINE_MS;
  let last: unknown;
  while (Date.now() < deadline) {
    try {
      if (await check()) return;
    } catch (error) {
      last = error;
    }
    if (findProcess(machine, component) === undefined) throw failure(layout, component, `${component} has ended`);
    await delay(POLL_MS);
  }
  const reason = last instanceof Error ? `: ${last.message}` : '';
  throw failure(layout, component, `${what} within ${DEADLINE_MS / 1000} s${reason}`);
}

/** Whether something accepts connections on a path or an address. */
export async function accepts(target: { path: string } | { host: string; port: number }): Promise<boolean> {
  if ('path' in target && !existsSync(target.path)) return false;
  return new Promise((resolve) => {
    const socket = connect(target, () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}

export async function nodeIsReady(client: Client, name: string): Promise<boolean> {
  const node = await client.get(NODE, { name });
  const { conditions = [] } = (node['status'] ?? {}) as { conditions?: { type: string; status: string }[] };
  return conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
}

function failure(layout: Layout, component: string, message: string): ProblemsError {
  const tail = logTail(layout, component);
  const remedy = `The end of ${logPath(layout, component)}:\n${tail}`;
  return new ProblemsError([{ object: 'embedded cluster', path: component, message, remedy }]);
}
