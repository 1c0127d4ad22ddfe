import { RegistryClient } from '../components/registry/registry-client.ts';
import type { Io } from './io.ts';

/** Options of every command that reads from a registry. */
export const REGISTRY_OPTIONS = { 'plain-http': { type: 'boolean' }, ca: { type: 'string' } } as const;
export const REGISTRY_USAGE = `  --plain-http  talk HTTP to the registry
  --ca FILE     PEM certificates to trust beside the system's`;

/** Runs something with a client of the registry, and closes it afterwards. */
export async function withRegistry<T>(
  values: { readonly 'plain-http'?: boolean | undefined; readonly ca?: string | undefined },
  io: Io,
  work: (client: RegistryClient) => Promise<T>,
): Promise<T> {
  const client = new RegistryClient({
    plainHttp: values['plain-http'] ?? false,
    ...(values.ca === undefined ? {} : { ca: await io.read(values.ca) }),
  });
  try {
    return await work(client);
  } finally {
    client.close();
  }
}
