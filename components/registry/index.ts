// Reads catalogs and images from registries.

export { pullCatalog } from '../catalog/pull-catalog.ts';
export { credentialsIn, dockerCredentials, type Credentials } from './credentials.ts';
export { RegistryClient, type RegistryOptions } from './registry-client.ts';
