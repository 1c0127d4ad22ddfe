import { readFileSync } from 'node:fs';
import { MIN_KUBE_VERSION } from '../components/bundle/cluster-service-version.ts';
import { GROUP, VERSIONS } from '../packages/api/constants.ts';
import { checkout } from '../packages/lib/checkout.ts';
import { table } from '../packages/lib/markdown.ts';
import { newestRevision, factsOf, type EngineTable } from '../packages/render/engines/table.ts';
import { ENGINE_TABLES } from '../packages/render/engines/tables.ts';
import type { ProgramsFile } from '../toolchain/programs-file.ts';

const START = '<!-- compatibility: written by `make generate` -->';
const END = '<!-- compatibility ends -->';

interface Package {
  readonly version: string;
  readonly engines: { readonly node: string };
  readonly dependencies: Readonly<Record<string, string>>;
}

/** What the tests of this revision ran with, as a table. */
function compatibility(file: ProgramsFile, { version, engines, dependencies }: Package): string {
  const module = (name: string): string => (file.modules[name]?.version ?? '').replace(/^v/, '');
  const rows = [
    ['Operator', version, ''],
    [`API \`${GROUP}\``, VERSIONS.join(', '), 'both served, identical schemas'],
    ['Kubernetes', module('kubernetes'), `${MIN_KUBE_VERSION} or newer`],
    ['OLM', module('olm'), 'run in the embedded cluster; the version is configuration'],
    ['OLM, oldest', module('olm-oldest'), 'run and upgraded from by the end-to-end tests'],
    ['OLM, newest', module('olm-newest'), 'not run: its manifest, CRDs and admission policy on a real API server'],
    ['Onwards', file.programs['onwards']?.version ?? '', 'the gateway of open engines, run in the embedded cluster'],
    ['llama.cpp', imageTag(ENGINE_TABLES.llamacpp), "another build, Debian's, is run in the embedded cluster"],
    ['vLLM', imageTag(ENGINE_TABLES.vllm), 'not run: its arguments, against its released source'],
    ['SGLang', imageTag(ENGINE_TABLES.sglang), 'not run: its arguments, against its released source'],
    ['KEDA', module('keda'), 'optional, for scaling'],
    ['Prometheus operator', module('prometheus-operator'), 'optional, for metrics'],
    ['Pulumi', dependencies['@pulumi/pulumi'] ?? '', 'CLI and SDK'],
    ['Pulumi Kubernetes', dependencies['@pulumi/kubernetes'] ?? '', ''],
    ['Node', file.programs['node']?.version ?? '', engines.node],
  ];
  return table(['component', 'tested with', ''], rows);
}

/** The version that new stacks run. */
function imageTag(table: EngineTable): string {
  return factsOf(table.revisions, newestRevision(table)).image?.tag ?? '';
}

/** The README with the table of this revision in it. */
export function withCompatibility(readme: string, programs: ProgramsFile): string {
  const [start, end] = [readme.indexOf(START), readme.indexOf(END)];
  if (start < 0 || end < start) throw new Error(`README.md: the lines ${START} and ${END} are missing`);
  const packageJson = JSON.parse(readFileSync(`${checkout}/package.json`, 'utf8')) as Package;
  return `${readme.slice(0, start + START.length)}\n\n${compatibility(programs, packageJson)}\n\n${readme.slice(end)}`;
}
