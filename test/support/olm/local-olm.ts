import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkout } from '../../../packages/lib/checkout.ts';
import { SETTINGS } from '../../../infra/config/schema.ts';

const MANIFEST = '.tools/share/olm-v{version}.yaml';

/** The settings for OLM's manifest as this machine has it, with its checksum: the default is a URL. */
export function localOlm(): { readonly manifest: string; readonly manifestSha256: string } {
  const version = SETTINGS.olm.read({}, 'olm', [])?.version ?? '';
  const text = readFileSync(join(checkout, MANIFEST.replace('{version}', version)));
  return { manifest: MANIFEST, manifestSha256: createHash('sha256').update(text).digest('hex') };
}
