import type { Stream } from '../../components/catalog/template.ts';
import type { PublishSettings } from '../../components/images/publish.ts';
import type { SigningKey } from '../../components/signatures/sign.ts';
import { ProblemsError } from '../../packages/lib/problem.ts';
import type { Io } from '../io.ts';
import { publishSettings } from '../publish-target.ts';
import type { RegistryOptions } from '../registry-options.ts';

/** The options of `fleet release`. */
export interface ReleaseOptions extends RegistryOptions {
  readonly version: string;
  readonly channel: Stream;
  readonly crdVersion: string;
  readonly unsigned?: boolean | undefined;
  /** The catalog is not published. */
  readonly operatorOnly?: boolean | undefined;
}

/** Platforms that nodes have. */
const PLATFORMS = 'linux/amd64,linux/arm64';

/** Where a release goes and how it is built: for all platforms, and attested, unless the variables say otherwise. */
export function releaseSettings(env: Io['env']): PublishSettings {
  const unless = (name: string, value: string): string =>
    env[name] === undefined || env[name] === '' ? value : env[name];
  return publishSettings(
    {
      ...env,
      IMAGE_PLATFORMS: unless('IMAGE_PLATFORMS', PLATFORMS),
      PROVENANCE: unless('PROVENANCE', '1'),
      SBOM: unless('SBOM', '1'),
    },
    false,
  );
}

/** The key that signs; undefined if the person said aloud that nothing is signed. */
export function signingKey(unsigned: boolean, env: Io['env']): SigningKey | undefined {
  const privateKey = env['COSIGN_KEY'] ?? '';
  if (unsigned) return undefined;
  if (privateKey === '') {
    const remedy = 'Name the file of the private key, or say --unsigned (make release ARGS=--unsigned).';
    throw new ProblemsError([{ path: 'COSIGN_KEY', message: 'is not set, so nothing would be signed', remedy }]);
  }
  const publicKey = env['COSIGN_PUBLIC_KEY'] ?? '';
  return { privateKey, publicKey: publicKey === '' ? privateKey.replace(/\.key$/, '.pub') : publicKey };
}
