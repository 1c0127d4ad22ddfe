import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { parseConfig } from './config.ts';
import { startGateway } from './gateway.ts';
import { runReader } from './reader.ts';

/** Where the real runtime has its configuration. */
const CONFIG = process.env['CONFIG_FILE'] ?? '/code/config.yaml';

function log(line: string): void {
  process.stdout.write(`demo runtime (no model): ${line}\n`);
}

const role = parseConfig(await readFile(CONFIG, 'utf8'), process.env['POD_NAME'] ?? hostname());
const stopping = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    stopping.abort();
  });
}

if (role.role === 'gateway') {
  const ports = { inference: 3000, management: 3001, openai: 3003, internal: role.internalPort };
  const gateway = await startGateway(ports);
  log(`gateway, OpenAI API on port ${ports.openai}`);
  stopping.signal.addEventListener('abort', () => void gateway.close());
} else {
  log(`reader ${role.id}`);
  await runReader(role, stopping.signal, log);
}
