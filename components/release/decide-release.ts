import { readDefinitions } from '../api/definitions.ts';
import type { AppliedDefinition } from '../api/inference-stack-api.ts';
import { pullVerified, type VerifiedCatalog } from '../catalog/pull-verified.ts';
import { planFleet, type PlannedOperator } from '../fleet/plan.ts';
import { checkRemoval } from '../fleet/removal.ts';
import { checkExistingOlm, type OlmMode } from '../olm/existing.ts';
import type { OlmV1Args } from '../olm/olm-v1.ts';
import { rightsOf } from '../olm/rights-of.ts';
import { OLM_RELEASES, readManifest } from '../olm/source.ts';
import { checkOlmVersion, DEFAULT_OLM, type InstallsAs } from '../olm/versions.ts';
import { readInstalled, type Installed } from '../read-installed.ts';
import { withClusterRegistry } from '../registry/cluster-registry.ts';
import { digestProblems } from '../registry/reference.ts';
import { messageOf } from '../../packages/lib/error.ts';
import { ProblemsError, refuse } from '../../packages/lib/problem.ts';
import { definedOnly } from '../../packages/lib/values.ts';
import type { ReleaseArgs } from './release-args.ts';

/** What is decided about a release before anything is registered. */
export interface ReleaseDecision {
  readonly installed: Installed;
  readonly definitions: readonly AppliedDefinition[];
  readonly catalog: VerifiedCatalog & { readonly name: string; readonly image: string };
  readonly operators: readonly PlannedOperator[];
  /** Undefined where an existing OLM is used. */
  readonly olm: OlmV1Args | undefined;
  readonly installsAs: InstallsAs;
}

/** Asks the cluster and the registry, and refuses what cannot work. */
export async function decideRelease(args: ReleaseArgs): Promise<ReleaseDecision> {
  const { catalog: image, catalogName: name = 'inference-stack-catalog', olm = {} } = args;
  const { version = DEFAULT_OLM } = olm === 'existing' ? {} : olm;
  const ofOlm = checkOlmVersion(version).map((problem) => ({ ...problem, path: `olm.${problem.path}` }));
  refuse([...digestProblems(image, 'catalog'), ...ofOlm]);
  const installed = await readCluster(args.cluster);
  const mode = modeOf(olm);
  const wanted = args.operators.map((operator) => ({ ...operator, channel: operator.channel ?? 'stable' }));
  const made = installed.operators.filter(({ managed }) => managed).map(({ major }) => major);
  const majors = wanted.map(({ major }) => major);
  refuse([
    ...checkExistingOlm(mode, installed.olm),
    ...checkRemoval(majors, made, installed.stacks, args.removeMajors ?? []),
  ]);
  const key = args.verify === undefined ? undefined : { text: args.verify, path: 'verify' };
  const [definitions, catalog, olmArgs] = await Promise.all([
    readDefinitions(),
    withClusterRegistry(args, (client) => pullVerified(client, image, key)),
    olmToInstall(args, version, installed),
  ]);
  return {
    installed,
    definitions,
    catalog: { ...catalog, name, image },
    operators: planFleet(wanted, { name, content: catalog.content }, installed.operators),
    olm: olmArgs,
    installsAs: rightsOf(mode, installed.olm?.version ?? version, installed.olm),
  };
}

function modeOf(olm: NonNullable<ReleaseArgs['olm']>): OlmMode {
  if (olm === 'existing') return olm;
  return olm.adopt === true ? 'adopt' : 'install';
}

async function olmToInstall(
  { olm = {}, registryCa, pullSecret }: ReleaseArgs,
  version: string,
  { olm: existing, controlPlane }: Installed,
): Promise<OlmV1Args | undefined> {
  if (olm === 'existing') return undefined;
  const { manifest = OLM_RELEASES, manifestSha256, certificates = 'generated', replicas = 1, ...settings } = olm;
  return {
    ...definedOnly({ ...settings, registryCa, pullSecret }),
    version,
    manifest: await readManifest(manifest, version, manifestSha256),
    certificates,
    // Said aloud, since budgets that always require one would keep its node from being drained.
    replicas,
    existing,
    controlPlane,
  };
}

async function readCluster(cluster: ReleaseArgs['cluster']): Promise<Installed> {
  try {
    return await readInstalled(cluster);
  } catch (error) {
    const remedy = 'What it has decides what is installed. Check it with `kubectl cluster-info`.';
    throw new ProblemsError([
      { path: 'cluster', value: cluster.context, message: `cannot be reached: ${messageOf(error)}`, remedy },
    ]);
  }
}
