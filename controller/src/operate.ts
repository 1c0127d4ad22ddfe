import { readFile } from 'node:fs/promises';
import { readConfig } from './config.ts';
import { parseWatches } from './reconcile/watches.ts';
import { run } from './run.ts';
import { loadConnection } from '../../packages/kube/connect/kubeconfig.ts';
import { newLogger } from '../../packages/kube/process/log.ts';

/** How long work in progress may take to finish. The kubelet kills the pod after 30 s. */
const SHUTDOWN_MS = 20_000;

/** Runs until it is asked to stop. */
export async function operate(): Promise<void> {
  const config = readConfig(process.env);
  const logger = newLogger(config.logLevel).with({ operator: config.operatorName, version: config.version });
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      logger.info('Asked to stop: finishing the work in progress.', { signal });
      stop.abort();
      setTimeout(() => process.exit(1), SHUTDOWN_MS).unref();
    });
  }
  const watches = parseWatches(await readFile(config.watchesFile, 'utf8'), config.watchesFile);
  const running = await run({ config, connection: await loadConnection(), watches, logger }, stop.signal);
  logger.info('The operator is running.', { ports: running.ports, kinds: watches.map(({ type }) => type.kind) });
  await running.ended;
  logger.info('The operator has stopped.');
}
