import { readFile, writeFile } from 'node:fs/promises';
import { format, resolveConfig } from 'prettier';
import { MIN_KUBE_VERSION } from '../../components/bundle/cluster-service-version.ts';
import { GROUP, VERSIONS } from '../../controller/src/api/constants.ts';
import { checkout, programsFile } from './places.ts';
import { type ProgramsFile, readProgramsFile } from './programs-file.ts';

export const README = new URL('../../README.md', import.meta.url);

const START = '<!-- compatibility: written by `make generate` -->';
const END = '<!-- compatibility ends -->';

interface Package {
  readonly version: string;
  readonly engines: { readonly node: string };
  readonly dependencies: Readonly<Record<string, string>>;
}

/** What the tests of this revision ran with, as a table. */
export function compatibility(file: ProgramsFile, { version, engines, dependencies }: Package): string {
  const module = (name: string): string => (file.modules[name]?.version ?? '').replace(/^v/, '');
  const rows = [
    ['Operator', version, ''],
    [`API \`${GROUP}\``, VERSIONS.join(', '), 'both served, identical schemas'],
    ['Kubernetes', module('kubernetes'), `${MIN_KUBE_VERSION} or newer`],
    ['OLM', module('olm'), 'run in the embedded cluster; the version is configuration'],
    ['OLM, oldest', module('olm-oldest'), 'run and upgraded from by the end-to-end tests'],
    ['OLM, newest', module('olm-newest'), 'not run: its manifest, CRDs and admission policy on a real API server'],
    ['KEDA', module('keda'), 'optional, for scaling'],
    ['Prometheus operator', module('prometheus-operator'), 'optional, for metrics'],
    ['Pulumi', dependencies['@pulumi/pulumi'] ?? '', 'CLI and SDK'],
    ['Pulumi Kubernetes', dependencies['@pulumi/kubernetes'] ?? '', ''],
    ['Node', file.programs['node']?.version ?? '', engines.node],
  ];
  return [
    '| component | tested with | |',
    '| --- | --- | --- |',
    ...rows.map((cells) => `| ${cells.join(' | ')} |`),
  ].join('\n');
}

/** The README with the table of this revision in it. */
export async function currentReadme(): Promise<string> {
  const text = await readFile(README, 'utf8');
  const [start, end] = [text.indexOf(START), text.indexOf(END)];
  if (start < 0 || end < start) throw new Error(`README.md: the lines ${START} and ${END} are missing`);
  const packageJson = JSON.parse(await readFile(`${checkout}/package.json`, 'utf8')) as Package;
  const table = compatibility(readProgramsFile(programsFile), packageJson);
  const whole = `${text.slice(0, start + START.length)}\n\n${table}\n\n${text.slice(end)}`;
  return format(whole, { ...(await resolveConfig(README)), parser: 'markdown' });
}

if (import.meta.main) await writeFile(README, await currentReadme());
