import type { ExistingOlm, OlmMode } from './existing.ts';
import { requiresAccount } from './extension-api.ts';
import { olmFacts, type InstallsAs } from './versions.ts';

/**
 * Whose rights OLM installs operators with. For an existing OLM the cluster's own CRD decides, whatever version somebody names: somebody
 * else upgrades it.
 */
export function rightsOf(mode: OlmMode, version: string, existing: ExistingOlm | undefined): InstallsAs {
  const definition = mode === 'existing' ? existing?.definition : undefined;
  const required = definition === undefined ? undefined : requiresAccount(definition);
  if (required === undefined) return olmFacts(version).installsAs;
  return required ? 'account' : 'cluster-admin';
}
