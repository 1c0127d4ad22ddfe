import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import semver from 'semver';
import { parseReleaseVersion } from '../../components/catalog/version.ts';
import { STORAGE_VERSION, VERSIONS } from '../../packages/api/constants.ts';
import { DNS_LABEL, formProblems } from '../../packages/api/text-forms.ts';
import { DEPRECATIONS, LOCK, TEMPLATE } from '../commands/catalog/committed.ts';

/** Options that several commands take. */
export const FILES = new Option(
  '-f, --file <file...>',
  'files with stacks, or folders of them; - is standard input',
).makeOptionMandatory();
export const NAMESPACE = new Option('-n, --namespace <name>', 'namespace of stacks that name none')
  .argParser(namespaceName)
  .default('default');
export const OPERATOR_VERSION = new Option(
  '--operator-version <version>',
  'also check that an operator of this version serves the stacks',
).argParser(fullVersion);

/** Which cluster is asked. */
export const CLUSTER_OF = new Option('-e, --environment <name>', 'ask the cluster that Pulumi.NAME.yaml names');
export const KUBECONFIG = new Option(
  '--kubeconfig <file>',
  'ask this one; else that of KUBECONFIG, the embedded cluster, or ~/.kube/config',
);
export const CONTEXT = new Option('--context <name>', 'context of the kubeconfig; never the embedded cluster');

/** How what a cluster says is printed. */
export const OUTPUT = new Option('-o, --output <format>', 'how to print')
  .choices(['table', 'json'] as const)
  .default('table' as const);

/** How a registry is reached. */
export const PLAIN_HTTP = new Option('--plain-http', 'talk HTTP to the registry');
export const CA = new Option('--ca <file>', "PEM certificates to trust beside the system's").conflicts('plainHttp');

/** Which version is released, and in which files. */
const SUCH_AS = 'the version, such as v3.0.0';
export const OPTIONAL_VERSION = new Option('--version <version>', SUCH_AS).argParser(releaseVersion);
export const VERSION = new Option('--version <version>', SUCH_AS).argParser(releaseVersion).makeOptionMandatory();
export const CRD_VERSION = new Option('--crd-version <version>', 'API version that the examples use')
  .choices(VERSIONS)
  .default(STORAGE_VERSION);
export const CATALOG_TEMPLATE = new Option('-f, --file <file>', 'template of the catalog').default(TEMPLATE);
export const CATALOG_LOCK = new Option('--lock <file>', 'lock of what was released').default(LOCK);
export const CATALOG_DEPRECATIONS = new Option('--deprecations <file>', 'versions that users should leave').default(
  DEPRECATIONS,
);

/** Reads an option that wants a full version. */
export function fullVersion(text: string): string {
  if (semver.valid(text) !== null) return text;
  throw new InvalidArgumentError('Use a full version such as 3.1.0.');
}

function releaseVersion(text: string): string {
  if (parseReleaseVersion(text) !== undefined) return text;
  throw new InvalidArgumentError('Use a version such as v1.2.3.');
}

/** Reads an option that wants the name of a namespace. */
export function namespaceName(text: string): string {
  const [problem] = formProblems(text, '', DNS_LABEL);
  if (problem === undefined) return text;
  throw new InvalidArgumentError(`It ${problem.message}. Write a name like team-a.`);
}
