import { RegistryClient } from '../components/registry/registry-client.ts';
import { ProblemsError } from '../packages/lib/problem.ts';
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
    ...(ca === undefined ? {} : { ca: await readAuthorities(ca, io) }),
  });
  try {
    return await work(client);
  } finally {
    client.close();
  }
}

/** Node ignores a file without certificates, and the registry would then seem not to be trusted in spite of it. */
export async function readAuthorities(file: string, io: Io): Promise<string> {
  const pem = await io.read(file);
  if (pem.includes('-----BEGIN CERTIFICATE-----')) return pem;
  const remedy = 'Name a file with -----BEGIN CERTIFICATE----- in it.';
  throw new ProblemsError([{ object: file, path: '--ca', message: 'holds no certificate in PEM', remedy }]);
}
