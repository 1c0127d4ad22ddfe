import { ProblemsError } from '../../packages/lib/problem.ts';
import { credentialsIn, dockerCredentials, isDockerConfig, type DockerConfig } from './credentials.ts';
import { RegistryClient } from './registry-client.ts';
import { RegistryError } from './registry-error.ts';

/** What a cluster pulls images with. */
export interface ClusterRegistry {
  /** PEM certificates to trust, in addition to the system's. */
  readonly registryCa?: string | undefined;
  /** Docker config JSON. */
  readonly pullSecret?: string | undefined;
}

/** Reads from registries as the cluster will: with its authority, and with its credentials before those of this machine. */
export async function withClusterRegistry<T>(
  { registryCa, pullSecret }: ClusterRegistry,
  read: (client: RegistryClient) => Promise<T>,
): Promise<T> {
  if (pullSecret !== undefined && !isDockerConfig(pullSecret)) {
    // Without the value: it is a secret, also where it is malformed.
    const remedy = 'Pass the content of a config.json that `docker login` has written.';
    throw new ProblemsError([{ path: 'pullSecret', message: 'is not a Docker config in JSON', remedy }]);
  }
  const configured = pullSecret === undefined ? {} : (JSON.parse(pullSecret) as DockerConfig);
  const client = new RegistryClient({
    ...(registryCa === undefined ? {} : { ca: registryCa }),
    credentials: async (host) => (await credentialsIn(configured, host)) ?? dockerCredentials(host),
  });
  try {
    return await read(client);
  } catch (error) {
    throw error instanceof RegistryError ? error.forSettings() : error;
  } finally {
    client.close();
  }
}
