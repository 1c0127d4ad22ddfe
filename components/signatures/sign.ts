import { readFile } from 'node:fs/promises';
import { CommandError, isMissingCommand, run } from '../../packages/lib/command.ts';
import { messageOf } from '../../packages/lib/error.ts';
import { ProblemsError, type Problem } from '../../packages/lib/problem.ts';
import { dockerCredentials } from '../registry/credentials.ts';
import { RegistryClient, type RegistryOptions } from '../registry/registry-client.ts';
import { isByDigest } from '../registry/reference.ts';
import { RegistryError } from '../registry/registry-error.ts';
import { readPublicKey } from './public-key.ts';
import { verifyImage } from './verify.ts';

/** A key pair in files, as `cosign generate-key-pair` writes it. */
export interface SigningKey {
  /** File of the private key. */
  readonly privateKey: string;
  /** File of the public key. */
  readonly publicKey: string;
}

export interface SignOptions extends Pick<RegistryOptions, 'plainHttp'> {
  /** File with PEM certificates of the registry's authority. */
  readonly caFile?: string;
  /** Writes the signature into the public log of sigstore.dev. Without it, nothing leaves for anywhere but the registry. */
  readonly transparencyLog?: boolean;
  /** Where the password is, and the user of the registry. */
  readonly env?: NodeJS.ProcessEnv;
}

/** The variable with the private key's password, which cosign reads itself: arguments can be seen by everybody on a machine. */
export const PASSWORD = 'COSIGN_PASSWORD';

/**
 * Signs an image, named by digest, and keeps the signature beside it in the registry. An image that the key has signed already is left
 * alone, so that doing it again changes nothing.
 */
export async function signImage(
  image: string,
  key: SigningKey,
  options: SignOptions = {},
): Promise<'signed' | 'was signed'> {
  const { env = process.env } = options;
  const object = `signature of ${image}`;
  if (!isByDigest(image)) {
    throw problem({
      object,
      path: 'image',
      value: image,
      message: 'is not named by digest',
      remedy: 'Sign what was pushed, by its digest.',
    });
  }
  if (env[PASSWORD] === undefined) {
    const remedy = 'Set it to the password of the private key, or to nothing where it has none.';
    throw problem({ object, path: PASSWORD, message: 'is not set', remedy });
  }
  const publicKey = readPublicKey(await readKey(key.publicKey, object), { object, path: key.publicKey });
  const ca = options.caFile === undefined ? undefined : await readFile(options.caFile, 'utf8');
  const client = new RegistryClient({
    ...(ca === undefined ? {} : { ca }),
    plainHttp: options.plainHttp ?? false,
    credentials: (host) => dockerCredentials(host, env['DOCKER_CONFIG']),
  });
  try {
    if (await isSigned(client, image, publicKey)) return 'was signed';
    await cosign(image, key, options, env, object);
    // Whoever trusts the public key has to be able to use what was just made.
    await verifyImage(client, image, publicKey);
    return 'signed';
  } finally {
    client.close();
  }
}

async function isSigned(
  client: RegistryClient,
  image: string,
  key: ReturnType<typeof readPublicKey>,
): Promise<boolean> {
  return verifyImage(client, image, key).then(
    () => true,
    (error: unknown) => {
      // Only a refusal says that there is no signature; whoever does not get an answer does not know.
      if (error instanceof RegistryError || !(error instanceof ProblemsError)) throw error;
      return false;
    },
  );
}

/** Registries and container runtimes of all ages find signatures of the older form, by a tag; cosign's newer one needs referrers. */
async function cosign(
  image: string,
  { privateKey }: SigningKey,
  { plainHttp = false, caFile, transparencyLog = false }: SignOptions,
  env: NodeJS.ProcessEnv,
  object: string,
): Promise<void> {
  const args = [
    'sign',
    '--yes',
    `--key=${privateKey}`,
    '--new-bundle-format=false',
    '--use-signing-config=false',
    `--tlog-upload=${String(transparencyLog)}`,
    ...(plainHttp ? ['--allow-http-registry'] : []),
    ...(caFile === undefined ? [] : [`--registry-cacert=${caFile}`]),
    image,
  ];
  try {
    await run('cosign', args, { env });
  } catch (error) {
    throw problem({ object, ...explain(error, env[PASSWORD]) });
  }
}

function explain(error: unknown, password = ''): Problem {
  if (isMissingCommand(error)) {
    return {
      path: 'cosign',
      message: 'is not on PATH',
      remedy: 'Install cosign 3 and put it on PATH.',
    };
  }
  const output = error instanceof CommandError ? error.output : messageOf(error);
  if (/decrypt/i.test(output)) {
    return { path: PASSWORD, message: 'does not open the private key', remedy: 'Set it to the password of this key.' };
  }
  const said = password === '' ? output : output.replaceAll(password, '…');
  return { path: 'cosign', message: 'did not sign', remedy: `It said:\n${said.trim().slice(-MAX_OUTPUT)}` };
}

/** What of cosign's words is shown. */
const MAX_OUTPUT = 2000;

async function readKey(file: string, object: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    const remedy = 'Name the file cosign.pub that belongs to the private key.';
    throw problem({ object, path: file, message: `cannot be read: ${messageOf(error)}`, remedy });
  });
}

function problem(each: Problem): ProblemsError {
  return new ProblemsError([each]);
}
