import type { Versions } from './source.ts';

/** Where a version stands: behind this text, a regular expression. */
type Pin = readonly [before: string, version: keyof Versions];

const V = String.raw`\d+\.\d+(?:\.\d+)?`;

/** A line of a module, or of a program, in toolchain/programs.yaml. */
function inside(name: string, line: string, version: keyof Versions): Pin {
  return [String.raw`\n  ${name}:\n(?: {4}.*\n)*?${line}`, version];
}

/** The version of a module, and that in the name of the file that it shares. */
function module(name: string, version: keyof Versions, file?: string): readonly Pin[] {
  const shared = file === undefined ? [] : [inside(name, ` {6}${file}-v`, version)];
  return [inside(name, ' {4}version: v', version), ...shared];
}

const NODE: Pin = ['Node ', 'nodeOldest'];
const OLM_SETTING: readonly Pin[] = [[String.raw`:olm:\n(?: {4}.*\n)*? {4}version: `, 'olmDefault']];
const MANIFEST: Pin = ['manifestSha256: ', 'olmManifest'];

/** Every place, outside of generated pages, that names a version of versions.yaml. */
const PINS: Readonly<Record<string, readonly Pin[]>> = {
  'toolchain/programs.yaml': [
    ...module('kubernetes', 'kubernetes'),
    inside('kubernetes', '.*version.gitVersion=v', 'kubernetes'),
    ...module('olm', 'olm', 'olm'),
    ...module('olm-oldest', 'olmOldest', 'olm'),
    ...module('olm-newest', 'olmDefault', 'olm'),
    ...module('pulumi', 'pulumi'),
    inside('pulumi', '.*version.Version=v', 'pulumi'),
    inside('pulumi', ' *github.com/pulumi/pulumi/sdk/v3: v', 'pulumi'),
    inside('pulumi-docker-build', ' *github.com/pulumi/pulumi/pkg/v3: v', 'pulumi'),
    inside('pulumi-docker-build', ' *github.com/pulumi/pulumi/sdk/v3: v', 'pulumi'),
    inside('pulumi-kubernetes', '.*version.Version=', 'pulumiKubernetes'),
    ['resource-kubernetes@', 'pulumiKubernetes'],
    ...module('keda', 'keda', 'keda'),
    ...module('prometheus-operator', 'prometheusOperator', 'prometheus-operator'),
    inside('node', ' {4}version: ', 'node'),
    inside('node', " {4}accept: '>=", 'nodeOldest'),
    inside('go', " {4}accept: '>=", 'goOldest'),
  ],
  '.github/actions/setup/action.yml': [
    ['node-version: ', 'node'],
    ['pulumi-version: ', 'pulumi'],
    ['version: v', 'kubernetes'],
  ],
  'package.json': [
    ['"node": ">=', 'nodeOldest'],
    ['"@pulumi/pulumi": "', 'pulumi'],
    ['"@pulumi/kubernetes": "', 'pulumiKubernetes'],
  ],
  'components/package.json': [
    ['"node": ">=', 'nodeOldest'],
    ['"@pulumi/pulumi": "\\^?', 'pulumi'],
    ['"@pulumi/kubernetes": "\\^?', 'pulumiKubernetes'],
  ],
  'controller/package.json': [['"node": ">=', 'nodeOldest']],
  'policies/package.json': [['"@pulumi/pulumi": "', 'pulumi']],
  'components/olm/versions.ts': [
    ["OLDEST_OLM = '", 'olmOldest'],
    ["DEFAULT_OLM = '", 'olmDefault'],
    ["EMBEDDED_OLM = '", 'olm'],
  ],
  'components/bundle/cluster-service-version.ts': [["MIN_KUBE_VERSION = '", 'kubernetesOldest']],
  'Pulumi.prod.yaml': [...OLM_SETTING, MANIFEST],
  'examples/client/Pulumi.example.yaml': [...OLM_SETTING, MANIFEST],
  'examples/existing-olm/Pulumi.example.yaml': OLM_SETTING,
  'cli/fleet.mjs': [NODE],
  'infra/config/schema.ts': [NODE],
  'toolchain/bootstrap.sh': [NODE],
  'controller/Dockerfile': [NODE],
  'demo/Dockerfile': [NODE],
  'toolchain/README.md': [
    ['versions of OLM: ', 'olm'],
    ['upgrade from ', 'olmOldest'],
    ['and of ', 'olmDefault'],
  ],
  'components/README.md': [NODE, ["OLM_RELEASES, '", 'olmDefault'], ["version: '", 'olmDefault']],
  'CONTRIBUTING.md': [NODE, ['Go ', 'goOldest'], ['and OLM ', 'olmOldest']],
  'README.md': [NODE],
  'docs/how-to/run-a-fleet.md': [
    [String.raw`olm:\n      version: `, 'olmDefault'],
    ['Any version from ', 'olmOldest'],
    ['this was tested from ', 'olmOldest'],
    [`this was tested from ${V} to `, 'olm'],
    [`this was tested from ${V} to ${V} to `, 'olmDefault'],
    ['/:v', 'olmDefault'],
    ['/cert-v', 'olmDefault'],
  ],
  'docs/how-to/use-the-components.md': [NODE, ["olmFacts\\('", 'olmDefault']],
  'docs/how-to/consume-a-release.md': [NODE],
  'docs/how-to/use-your-own-cluster.md': [NODE],
  'docs/how-to/write-an-inference-stack.md': [NODE],
};

/** The files that have versions in them, by their paths in the repository. */
export const PINNED_FILES: readonly string[] = Object.keys(PINS);

/** A file with the versions of versions.yaml in it. A place that is no longer there is an error, since the file may name it elsewhere. */
export function withPins(file: string, text: string, versions: Versions): string {
  return (PINS[file] ?? []).reduce((pinned, [before, version]) => {
    const place = new RegExp(`(${before})${version === 'olmManifest' ? '[0-9a-f]{64}' : V}`, 'g');
    if (!place.test(pinned))
      throw new Error(`${file}: has no version behind ${before}: see maintenance/versions/pins.ts`);
    return pinned.replace(place, (_, found: string) => `${found}${versions[version]}`);
  }, text);
}
