import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import semver from 'semver';
import { serves, servesOf, type Serves } from '../../components/bundle/serves.ts';
import { parseLock, type LockedVersion } from '../../components/catalog/lock.ts';
import { newestParts, parseParts, PARTS, PARTS_FILE } from '../../components/catalog/parts.ts';
import { GROUP, STORAGE_VERSION } from '../../packages/api/constants.ts';
import { checkout } from '../../packages/lib/checkout.ts';
import { table } from '../../packages/lib/markdown.ts';
import { factsOf, newestRevision, type EngineTable } from '../../packages/render/engines/table.ts';
import { ENGINE_TABLES } from '../../packages/render/engines/tables.ts';
import { ONWARDS_REVISIONS } from '../../packages/render/onwards/table.ts';
import type { Versions } from './source.ts';

const START = '<!-- compatibility: written by `make generate` -->';
const END = '<!-- compatibility ends -->';
const LOCK = 'catalog/catalog.lock.yaml';

/** Where the page of each table begins. */
const TABLES: Readonly<Record<string, string>> = {
  vllm: 'vllm-vllm',
  sglang: 'sglang-sglang',
  llamacpp: 'llamacpp-llamacpp',
  openai: 'openai-any-server-of-the-openai-api',
  onwards: 'onwards-the-gateway-onwards',
};

/** One version of the operator, as the table of majors shows it. */
interface Operator {
  readonly version: string;
  readonly isReleased: boolean;
  readonly serves: Serves;
}

/** What the operator of each major serves: the newest that was released, and this checkout if it is newer. */
export function operators(released: readonly LockedVersion[], own: string): readonly Operator[] {
  const all = released.map(({ version, bundle }) => ({ version, isReleased: true, serves: servesOf(bundle) }));
  const here = { version: own, isReleased: false, serves: serves() };
  const known = all.some(({ version }) => semver.gte(version, own));
  const newest = Map.groupBy(known ? all : [...all, here], ({ version }) => semver.major(version));
  return [...newest.entries()]
    .sort(([a], [b]) => a - b)
    .flatMap(([, versions]) => versions.toSorted((a, b) => semver.compare(a.version, b.version)).slice(-1));
}

function operatorRow({ version, isReleased, serves: { apiVersions, revisions } }: Operator): readonly string[] {
  const newest = isReleased ? `[${version}](docs/releases/${version}.md)` : `${version}, not released yet`;
  const api = apiVersions.map((each) => (each === STORAGE_VERSION ? `${each} (stored)` : each)).join(', ');
  const tables = Object.entries(revisions).map(([name, revision]) => {
    const heading = TABLES[name];
    return `${heading === undefined ? name : `[${name}](docs/reference/engines.md#${heading})`} ${String(revision)}`;
  });
  return [`v${String(semver.major(version))}`, newest, `[${api}](docs/concepts/api-versions.md)`, tables.join(', ')];
}

/** What the tests of this revision ran with. */
function componentRows(versions: Versions): readonly (readonly string[])[] {
  const github = (name: string, repository: string, version: string, note: string): readonly string[] => [
    name,
    `[${version}](https://github.com/${repository}/releases/tag/v${version})`,
    note,
  ];
  const olm = 'operator-framework/operator-controller';
  const { llamacpp, vllm, sglang } = ENGINE_TABLES;
  const onwards = ONWARDS_REVISIONS.at(-1)?.image.tag ?? '';
  return [
    github('Kubernetes', 'kubernetes/kubernetes', versions.kubernetes, `${versions.kubernetesOldest} or newer`),
    github('OLM', olm, versions.olm, 'run in the embedded cluster; the version is configuration'),
    github('OLM, oldest', olm, versions.olmOldest, 'run and upgraded from by the end-to-end tests'),
    github(
      'OLM, newest',
      olm,
      versions.olmDefault,
      'not run: its manifest, CRDs and admission policy on a real API server',
    ),
    [
      'Onwards',
      `[${onwards}](https://crates.io/crates/onwards/${onwards})`,
      'the gateway of open engines, run in the embedded cluster',
    ],
    [
      'llama.cpp',
      `[${imageTag(llamacpp)}](https://github.com/ggml-org/llama.cpp/releases/tag/${imageTag(llamacpp).replace(/^server-/, '')})`,
      "another build, Debian's, is run in the embedded cluster",
    ],
    github('vLLM', 'vllm-project/vllm', bare(vllm), 'not run: its arguments, against its released source'),
    github('SGLang', 'sgl-project/sglang', bare(sglang), 'not run: its arguments, against its released source'),
    github('KEDA', 'kedacore/keda', versions.keda, 'optional, for scaling'),
    github(
      'Prometheus operator',
      'prometheus-operator/prometheus-operator',
      versions.prometheusOperator,
      'optional, for metrics',
    ),
    github('Pulumi', 'pulumi/pulumi', versions.pulumi, 'CLI and SDK'),
    github('Pulumi Kubernetes', 'pulumi/pulumi-kubernetes', versions.pulumiKubernetes, ''),
    github('Node', 'nodejs/node', versions.node, `${versions.nodeOldest} or newer`),
  ];
}

/** The parts of this checkout, each of which may be released without the others, and those that were. */
function partRows(): readonly (readonly string[])[] {
  const parts = { Components: 'components', Policies: 'policies', 'Command line': 'cli' };
  const here = Object.entries(parts).map(([name, folder]) => [
    name,
    packageVersion(folder),
    `of this checkout: \`${folder}/\``,
  ]);
  const released = newestParts(parseParts(readFileSync(join(checkout, PARTS_FILE), 'utf8')));
  return [...here, ...released.map(({ component, version }) => [PARTS[component], version, 'released by itself'])];
}

function packageVersion(folder: string): string {
  const { version } = JSON.parse(readFileSync(join(checkout, folder, 'package.json'), 'utf8')) as { version: string };
  return version;
}

/** The version of the image that new stacks run. */
function imageTag(table: EngineTable): string {
  return factsOf(table.revisions, newestRevision(table)).image?.tag ?? '';
}

function bare(table: EngineTable): string {
  return imageTag(table).replace(/^v/, '');
}

/** The README with the tables of this revision in it. */
export function withMatrix(readme: string, versions: Versions): string {
  const [start, end] = [readme.indexOf(START), readme.indexOf(END)];
  if (start < 0 || end < start) throw new Error(`README.md: the lines ${START} and ${END} are missing`);
  const lock = parseLock(readFileSync(join(checkout, LOCK), 'utf8'), LOCK);
  const majors = operators(lock.versions, packageVersion('.')).map(operatorRow);
  const tables = [
    table(['operator', 'newest version', `\`${GROUP}\``, 'revisions of the tables of engines and gateway'], majors),
    table(['component', 'tested with', ''], [...partRows(), ...componentRows(versions)]),
  ];
  return `${readme.slice(0, start + START.length)}\n\n${tables.join('\n\n')}\n\n${readme.slice(end)}`;
}
