import { setTimeout } from 'node:timers/promises';
import { answer, type Job } from './answer.ts';
import type { ReaderRole } from './config.ts';

/** How long a reader waits before it tries again when a gateway does not answer. */
const RETRY_MS = 1_000;

/** Serves requests of one consumer group until it is stopped. */
export async function runReader(
  role: ReaderRole,
  signal: AbortSignal,
  log: (line: string) => void,
  retryMs = RETRY_MS,
): Promise<void> {
  const gateway = `http://${role.gatewayHost}:${role.gatewayPort}`;
  const query = new URLSearchParams({ group: role.consumerGroup, reader: role.id }).toString();
  let connected = false;
  while (!signal.aborted) {
    try {
      // A new connection for every request spreads readers over all replicas of the gateway.
      const response = await fetch(`${gateway}/work?${query}`, { signal, headers: { connection: 'close' } });
      if (!connected) log(`serving ${role.consumerGroup} for ${gateway}`);
      connected = true;
      if (response.status === 200) await work(gateway, (await response.json()) as Job, role, signal);
    } catch (error) {
      if (connected) log(`lost ${gateway}: ${String(error)}`);
      connected = false;
      await setTimeout(retryMs, undefined, { signal }).catch(() => undefined);
    }
  }
}

async function work(gateway: string, job: Job, role: ReaderRole, signal: AbortSignal): Promise<void> {
  const text = answer(job.messages, role.modelName, role.id);
  const body = JSON.stringify({ text });
  await fetch(`${gateway}/result?id=${job.id}`, { method: 'POST', body, signal, headers: { connection: 'close' } });
}
