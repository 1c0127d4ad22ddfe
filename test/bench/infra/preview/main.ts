import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { format, resolveConfig } from 'prettier';
import { pulumiVariables } from '../../../../cli/environment/pulumi.ts';
import { checkout } from '../../../../packages/lib/checkout.ts';
import { run } from '../../../../packages/lib/command.ts';
import { TestCluster } from '../../../support/embedded/test-cluster.ts';
import { PulumiProject } from '../../../support/pulumi/pulumi-project.ts';
import { measure } from './measure.ts';
import { isWithin, page, type Report } from './report.ts';

const PAGE = join(checkout, 'docs', 'benchmarks', 'preview.md');
const PREVIEW = ['preview', '--stack=dev', '--non-interactive'];

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '7' } } });
const cluster = new TestCluster('bench', 4);
const [nothing, empty] = ['nothing', 'empty'].map(
  (program) => new PulumiProject({}, join(checkout, 'test/bench/infra/preview', program)),
) as [PulumiProject, PulumiProject];
try {
  await run('make', ['up'], { cwd: checkout, env: cluster.env });
  for (const project of [nothing, empty]) await project.environment('dev', 'Pulumi.dev.yaml');
  const report = await compare(Number(values.rounds));
  await mkdir(dirname(PAGE), { recursive: true });
  await writeFile(PAGE, await format(page(report), { ...(await resolveConfig(PAGE)), parser: 'markdown' }));
  console.log(page(report));
  process.exitCode = isWithin(report) ? 0 : 1;
} finally {
  for (const project of [nothing, empty]) project.remove();
  await cluster.remove();
}

async function compare(rounds: number): Promise<Report> {
  // As `fleet` runs it: policies judge by the levels of the environment that is named here.
  const env = { ...pulumiVariables(cluster.env, { embedded: true, name: 'Pulumi.dev.yaml' }), PULUMI_STACK: 'dev' };
  // Pulumi writes into the file that it is given, and the committed one is not a benchmark's to change.
  const configFile = join(empty.directory, 'Pulumi.dev.yaml');
  const preview = ({
    directory,
    env: { PULUMI_BACKEND_URL, PULUMI_CONFIG_PASSPHRASE },
  }: PulumiProject): Promise<string> =>
    run('pulumi', PREVIEW, { cwd: directory, env: { ...env, PULUMI_BACKEND_URL, PULUMI_CONFIG_PASSPHRASE } });
  const dev = (...args: readonly string[]): Promise<string> =>
    run('pulumi', [...PREVIEW, `--config-file=${configFile}`, ...args], { cwd: checkout, env });
  const resources = /(\d+) unchanged/.exec(await dev())?.[1];
  if (resources === undefined)
    throw new Error('the preview of the dev environment changes something, right after `make up`');
  const figures = await measure(
    {
      nothing: () => preview(nothing),
      empty: () => preview(empty),
      dev: () => dev(),
      policies: () => dev('--policy-pack=policies'),
    },
    rounds,
  );
  const [cpu] = cpus();
  return {
    ...figures,
    resources: Number(resources),
    machine: `${cpus().length} cores (${cpu?.model.trim() ?? 'unknown'}), Node ${process.version}`,
    date: new Date().toISOString().slice(0, 10),
  };
}
