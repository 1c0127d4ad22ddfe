import { RegistryClient } from '../components/registry/registry-client.ts';
import type { Io } from './io.ts';

/** The options that say how a command reaches a registry. */
export interface RegistryOptions {
  readonly plainHttp?: boolean | undefined;
  readonly ca?: string | undefined;
}

/** Runs something with a client of the registry, and closes it afterwards. */
export async function withRegistry<T>(
  { plainHttp = false, ca }: RegistryOptions,
  io: Io,
  work: (client: RegistryClient) => Promise<T>,
): Promise<T> {
  const client = new RegistryClient({
    plainHttp,
    ...(ca === undefined ? {} : { ca: await io.read(ca) }),
  });
  try {
    return await work(client);
  } finally {
    client.close();
  }
}
