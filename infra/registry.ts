import { credentialsIn, dockerCredentials, type DockerConfig } from '../components/registry/credentials.ts';
import { RegistryClient } from '../components/registry/registry-client.ts';
import type { Environment } from './environment.ts';

/** Lets the program read from registries as the cluster will: with the environment's authority and credentials first. */
export async function withRegistry<T>(
  { settings: { pullSecret }, cluster: { registryCa } }: Environment,
  read: (client: RegistryClient) => Promise<T>,
): Promise<T> {
  const configured = pullSecret === undefined ? {} : (JSON.parse(pullSecret) as DockerConfig);
  const client = new RegistryClient({
    ...(registryCa === undefined ? {} : { ca: registryCa }),
    credentials: async (host) => (await credentialsIn(configured, host)) ?? dockerCredentials(host),
  });
  try {
    return await read(client);
  } finally {
    client.close();
  }
}
