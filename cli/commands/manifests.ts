import type { SemVer } from 'semver';
import { readDefinitions } from '../../components/api/definitions.ts';
import { pullVerified } from '../../components/catalog/pull-verified.ts';
import { describePlan } from '../../components/fleet/describe-plan.ts';
import type { Operator } from '../../components/fleet/operator.ts';
import { planFleet, type InstalledOperator } from '../../components/fleet/plan.ts';
import type { GuardAction } from '../../components/guards/guard-objects.ts';
import { checkOlmVersion, olmFacts, untestedOlm } from '../../components/olm/versions.ts';
import { isDockerConfig } from '../../components/registry/credentials.ts';
import { digestProblems } from '../../components/registry/reference.ts';
import { csvName, operatorNames } from '../../packages/api/operator-names.ts';
import { ProblemsError, refuse, type Problem } from '../../packages/lib/problem.ts';
import { writeYaml } from '../../packages/lib/write-yaml.ts';
import type { Io } from '../io.ts';
import { fleetObjects } from '../manifests/fleet-objects.ts';
import { type RegistryOptions, withRegistry } from '../registry-options.ts';

/** The options of `fleet manifests`. */
export interface ManifestsOptions extends RegistryOptions {
  readonly catalogImage: string;
  /** The file with the makers' public key. */
  readonly verify?: string | undefined;
  readonly catalogName: string;
  readonly operator: readonly Operator[];
  /** Versions that the cluster has now. */
  readonly installed?: readonly SemVer[] | undefined;
  /** Earlier versions to go back to, each by the operator of its major. */
  readonly rollbackTo?: readonly SemVer[] | undefined;
  readonly olmVersion: string;
  readonly modelOrchestra?: boolean | undefined;
  /** The file with the Docker config. */
  readonly pullSecret?: string | undefined;
  readonly guards?: GuardAction | undefined;
}

/** With a definition goes every stack of every team, which Pulumi would not let happen. */
const HEADER = `# For kubectl apply --server-side. Never for kubectl delete: the definitions would take every InferenceStack with them.
`;

/** Prints what an environment of these settings would put into a cluster that has OLM, for those without Pulumi. */
export async function run(options: ManifestsOptions, io: Io): Promise<number> {
  const { catalogImage: image, catalogName: name, olmVersion, installed = [], rollbackTo = [], guards } = options;
  refuse([
    // A tag may move after this was written, to versions for which nobody has made rights.
    ...digestProblems(image, '--catalog-image'),
    ...checkOlmVersion(olmVersion).map((problem) => ({ ...problem, path: '--olm-version' })),
    ...strangers('--installed', installed, options.operator),
    ...strangers('--rollback-to', rollbackTo, options.operator),
  ]);
  const untested = untestedOlm(olmVersion);
  if (untested !== undefined) io.err(`note: ${untested}\n`);
  const pullSecret = await readPullSecret(options.pullSecret, io);
  const key =
    options.verify === undefined
      ? undefined
      : { text: await io.read(options.verify), object: options.verify, path: '--verify' };
  const { content, verified } = await withRegistry(options, io, (client) => pullVerified(client, image, key));
  const wanted = options.operator.map((operator) => withRollback(operator, rollbackTo));
  const operators = planFleet(wanted, { name, content }, installed.map(installedAs));
  for (const operator of operators) io.err(`${describePlan(operator)}\n`);
  const objects = fleetObjects({
    definitions: await readDefinitions(options.modelOrchestra),
    operators,
    installsAs: olmFacts(olmVersion).installsAs,
    catalog: { name, image, verified },
    pullSecret,
    guards,
  });
  io.out(HEADER + objects.map((object) => `---\n${writeYaml(object)}`).join(''));
  return 0;
}

/** Versions of majors for which no operator is wanted. */
function strangers(path: string, versions: readonly SemVer[], operators: readonly Operator[]): readonly Problem[] {
  return versions
    .filter((version) => operators.every(({ major }) => major !== version.major))
    .map(({ major, version }) => ({
      path,
      value: version,
      message: `is of major ${major}, for which there is no --operator`,
      remedy: `Add --operator ${major}, or leave it out.`,
    }));
}

function withRollback(operator: Operator, versions: readonly SemVer[]): Operator {
  const rollbackTo = versions.find(({ major }) => major === operator.major)?.version;
  return rollbackTo === undefined ? operator : { ...operator, rollbackTo };
}

async function readPullSecret(file: string | undefined, io: Io): Promise<string | undefined> {
  if (file === undefined) return undefined;
  const text = await io.read(file);
  if (isDockerConfig(text)) return text;
  const remedy = 'Name a file such as ~/.docker/config.json that holds the credentials themselves.';
  throw new ProblemsError([
    { object: file, path: '--pull-secret', message: 'is not a Docker config in JSON with "auths"', remedy },
  ]);
}

/** The operator that has this version installed, as the cluster would report it. */
function installedAs(version: SemVer): InstalledOperator {
  const bundle = { name: csvName(version.version), version };
  return { extension: operatorNames(version.major).operator, bundle };
}
