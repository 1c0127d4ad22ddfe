import { credentialsIn, dockerCredentials, type DockerConfig } from '../components/registry/credentials.ts';
import { RegistryClient } from '../components/registry/registry-client.ts';
import type { Target } from './cluster/target.ts';
import type { Settings } from './config/schema.ts';

/** Lets the program read from registries as the cluster will: by the stack's authority and credentials first. */
export async function withRegistry<T>(
  { pullSecret }: Pick<Settings, 'pullSecret'>,
  { registryCa }: Pick<Target, 'registryCa'>,
  read: (client: RegistryClient) => Promise<T>,
): Promise<T> {
  const own = pullSecret === undefined ? {} : (JSON.parse(pullSecret) as DockerConfig);
  const client = new RegistryClient({
    ...(registryCa === undefined ? {} : { ca: registryCa }),
    credentials: async (host) => (await credentialsIn(own, host)) ?? dockerCredentials(host),
  });
  try {
    return await read(client);
  } finally {
    client.close();
  }
}
