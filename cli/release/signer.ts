import { signImage } from '../../components/signatures/sign.ts';
import { definedOnly } from '../../packages/lib/values.ts';
import type { Io } from '../io.ts';
import type { RegistryOptions } from '../registry-options.ts';
import { signingKey } from './settings.ts';

/** Signs an image by its digest, and says what came of it. */
export interface Signer {
  readonly signs: boolean;
  readonly sign: (image: string) => Promise<readonly [undefined, string]>;
}

/** Reads where the key is, before anything is built. */
export function signer(options: RegistryOptions & { readonly unsigned?: boolean | undefined }, env: Io['env']): Signer {
  const { unsigned = false, plainHttp, ca } = options;
  const key = signingKey(unsigned, env);
  if (key === undefined)
    return { signs: false, sign: () => Promise.resolve([undefined, 'not signed, as --unsigned says']) };
  const access = { env: { ...env }, ...definedOnly({ plainHttp, caFile: ca }) };
  return { signs: true, sign: async (image) => [undefined, await signImage(image, key, access)] };
}
