import { rightsOf } from '../../components/olm/rights-of.ts';
import { checkOlmVersion, untestedOlm, type InstallsAs } from '../../components/olm/versions.ts';
import { formatProblem } from '../../packages/lib/problem.ts';
import type { LiveState } from '../cluster/live-state.ts';
import { inSettings } from '../config/in-settings.ts';
import type { Settings } from '../config/schema.ts';

type OlmSettings = Pick<Settings, 'olm'>;
type LiveOlm = Pick<LiveState, 'olm'>;

/** Whose rights OLM installs operators with. */
export function installsAs({ olm }: OlmSettings, live: LiveOlm): InstallsAs {
  return rightsOf(olm.mode, olm.version, live.olm);
}

/** Warns when OLM has, or will have, a version that this program was not tested with. */
export function warnOfVersion({ olm }: OlmSettings, live: LiveOlm, warn: (message: string) => void): void {
  const version = olm.mode === 'existing' ? (live.olm?.version ?? olm.version) : olm.version;
  for (const problem of inSettings('olm', checkOlmVersion(version))) warn(formatProblem(problem));
  const untested = untestedOlm(version);
  if (untested !== undefined) warn(untested);
}
