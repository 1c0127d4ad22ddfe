import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import yaml from 'js-yaml';

const GITHUB = new URL('../../../.github/', import.meta.url);

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions?: unknown;
  readonly jobs: Readonly<
    Record<
      string,
      { readonly permissions?: object; readonly 'timeout-minutes'?: number; readonly steps?: readonly Step[] }
    >
  >;
}

async function workflows(): Promise<[string, Workflow][]> {
  const files = await readdir(new URL('workflows/', GITHUB));
  return Promise.all(
    files.map(async (file): Promise<[string, Workflow]> => {
      const text = await readFile(new URL(`workflows/${file}`, GITHUB), 'utf8');
      return [file, yaml.load(text, { schema: yaml.CORE_SCHEMA }) as Workflow];
    }),
  );
}

async function everyStep(): Promise<[string, Step][]> {
  const action = yaml.load(await readFile(new URL('actions/setup/action.yml', GITHUB), 'utf8')) as {
    runs: { steps: Step[] };
  };
  const steps = (await workflows()).flatMap(([file, { jobs }]) =>
    Object.values(jobs).flatMap((job) => (job.steps ?? []).map((step): [string, Step] => [file, step])),
  );
  return [...steps, ...action.runs.steps.map((step): [string, Step] => ['setup', step])];
}

describe('the workflows of this repository', () => {
  it('pin every action of others by its commit', async () => {
    for (const [file, { uses }] of await everyStep()) {
      if (uses === undefined || uses.startsWith('./')) continue;
      assert.match(uses, /^[\w-]+\/[\w-]+@[0-9a-f]{40}$/, file);
    }
  });

  it('start with the right to read, and write only comments and the pull request of a release', async () => {
    const allowed: Readonly<Record<string, readonly string[]>> = {
      'pull-request.yml': ['pull-requests'],
      'release.yml': ['contents', 'pull-requests'],
    };
    for (const [file, { permissions, jobs }] of await workflows()) {
      assert.deepEqual(permissions, { contents: 'read' }, file);
      const granted = Object.values(jobs).flatMap((job) => Object.entries(job.permissions ?? {}));
      const writing = granted.filter(([, level]) => level !== 'read').map(([scope]) => scope);
      assert.deepEqual(writing, allowed[file] ?? [], file);
    }
  });

  it('never run the code of a fork with secrets, nor leave a token behind', async () => {
    for (const [file, { on }] of await workflows()) {
      assert.ok(!('pull_request_target' in on) && !('workflow_run' in on), file);
    }
    for (const [file, { uses, with: inputs }] of await everyStep()) {
      if (uses?.startsWith('actions/checkout@')) assert.equal(inputs?.['persist-credentials'], false, file);
    }
  });

  it('put nothing that people write into a shell', async () => {
    for (const [file, { run }] of await everyStep()) assert.doesNotMatch(run ?? '', /\$\{\{/, file);
  });

  it('end by themselves', async () => {
    for (const [file, { jobs }] of await workflows()) {
      const own = Object.values(jobs).filter((job) => job.steps !== undefined);
      for (const job of own) assert.ok((job['timeout-minutes'] ?? Infinity) <= 90, file);
    }
  });
});
