import { requiresAccount } from '../../components/olm/extension-api.ts';
import { checkOlmVersion, olmFacts, untestedOlm, type InstallsAs } from '../../components/olm/versions.ts';
import { formatProblem } from '../../packages/lib/problem.ts';
import type { LiveState } from '../cluster/live-state.ts';
import type { Settings } from '../config/schema.ts';

type OlmSettings = Pick<Settings, 'olm'>;
type LiveOlm = Pick<LiveState, 'olm'>;

/**
 * Whose rights OLM installs operators with. For an existing OLM the cluster's own CRD decides, whatever the settings
 * say: somebody else upgrades it.
 */
export function installsAs({ olm }: OlmSettings, live: LiveOlm): InstallsAs {
  const definition = olm.mode === 'existing' ? live.olm?.definition : undefined;
  const required = definition === undefined ? undefined : requiresAccount(definition);
  if (required === undefined) return olmFacts(olm.version).installsAs;
  return required ? 'account' : 'cluster-admin';
}

/** Warns when OLM has, or will have, a version that this program was not tested with. */
export function warnOfVersion({ olm }: OlmSettings, live: LiveOlm, warn: (message: string) => void): void {
  const version = olm.mode === 'existing' ? (live.olm?.version ?? olm.version) : olm.version;
  for (const problem of checkOlmVersion(version)) warn(formatProblem(problem));
  const untested = untestedOlm(version);
  if (untested !== undefined) warn(untested);
}
