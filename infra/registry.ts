import { withClusterRegistry } from '../components/registry/cluster-registry.ts';
import type { RegistryClient } from '../components/registry/registry-client.ts';
import type { Environment } from './environment.ts';

/** Lets the program read from registries as the environment's cluster will. */
export async function withRegistry<T>(
  { settings: { pullSecret }, cluster: { registryCa } }: Environment,
  read: (client: RegistryClient) => Promise<T>,
): Promise<T> {
  return withClusterRegistry({ registryCa, pullSecret }, read);
}
