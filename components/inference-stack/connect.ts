import * as pulumi from '@pulumi/pulumi';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '../../packages/kube/client/client.ts';
import { loadConnection, type ConnectionOptions } from '../../packages/kube/connect/kubeconfig.ts';
import type { Connection } from '../../packages/kube/connect/connection.ts';
import { objectAt } from '../../packages/lib/json.ts';
import { knownValues } from './known-values.ts';

/** Short, because a stack that is waited for is soon read again. */
const REQUEST_MS = 10_000;

/** A client of the cluster that a provider leads to; without one, of the cluster that Pulumi's default provider leads to. */
export async function connectAs(provider: pulumi.ProviderResource | undefined): Promise<Client> {
  return new Client(await connectionOf(await settingsOf(provider)), { requestTimeoutMs: REQUEST_MS });
}

async function settingsOf(provider: pulumi.ProviderResource | undefined): Promise<ConnectionOptions> {
  if (provider === undefined) {
    const config = new pulumi.Config('kubernetes');
    return { kubeconfig: text(config.get('kubeconfig')), context: text(config.get('context')) };
  }
  // A provider's arguments are its outputs too, which its class does not declare.
  const { kubeconfig, context } = objectAt(provider);
  const known = objectAt((await knownValues({ kubeconfig, context })).value);
  return { kubeconfig: text(known['kubeconfig']), context: text(known['context']) };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Like the provider, takes a text that is not the path of a file for the kubeconfig itself. */
async function connectionOf({ kubeconfig, context }: ConnectionOptions): Promise<Connection> {
  if (kubeconfig === undefined) return loadConnection({ context });
  const path = kubeconfig.startsWith('~/') ? join(homedir(), kubeconfig.slice(2)) : kubeconfig;
  if (existsSync(path)) return loadConnection({ kubeconfig: path, context });
  const directory = await mkdtemp(join(tmpdir(), 'kubeconfig-'));
  try {
    const file = join(directory, 'kubeconfig');
    await writeFile(file, kubeconfig, { mode: 0o600 });
    return await loadConnection({ kubeconfig: file, context });
  } finally {
    await rm(directory, { recursive: true });
  }
}
