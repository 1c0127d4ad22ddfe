import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import yaml from 'js-yaml';
import { programsFile } from '../../../toolchain/places.ts';
import { readProgramsFile } from '../../../toolchain/programs-file.ts';

const GITHUB = new URL('../../../.github/', import.meta.url);

interface Step {
  readonly name?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
}

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions?: unknown;
  readonly concurrency?: { readonly group: string };
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly uses?: string;
        readonly secrets?: unknown;
        readonly strategy?: { readonly matrix?: Readonly<Record<string, unknown>> };
        readonly permissions?: object;
        readonly 'timeout-minutes'?: number;
        readonly environment?: string;
        readonly env?: Readonly<Record<string, string>>;
        readonly steps?: readonly Step[];
      }
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

async function actionSteps(name: string): Promise<readonly Step[]> {
  const text = await readFile(new URL(`actions/${name}/action.yml`, GITHUB), 'utf8');
  return (yaml.load(text, { schema: yaml.CORE_SCHEMA }) as { runs: { steps: Step[] } }).runs.steps;
}

async function everyStep(): Promise<[string, Step][]> {
  const actions = await readdir(new URL('actions/', GITHUB));
  const ofActions = await Promise.all(
    actions.map(async (name) => (await actionSteps(name)).map((step): [string, Step] => [name, step])),
  );
  const steps = (await workflows()).flatMap(([file, { jobs }]) =>
    Object.values(jobs).flatMap((job) => (job.steps ?? []).map((step): [string, Step] => [file, step])),
  );
  return [...steps, ...ofActions.flat()];
}

describe('the workflows of this repository', () => {
  it('pin every action of others by its commit', async () => {
    for (const [file, { uses }] of await everyStep()) {
      if (uses === undefined || uses.startsWith('./')) continue;
      assert.match(uses, /^[\w-]+\/[\w-]+@[0-9a-f]{40}$/, file);
    }
  });

  it('do nothing that a person could not do with make', async () => {
    const makefile = await readFile(new URL('../Makefile', GITHUB), 'utf8');
    const targets = new Set(Array.from(makefile.matchAll(/^\.PHONY: (\S+)$/gm), ([, target]) => target));
    const command = /^(?:sudo --preserve-env=HOME,PATH )?make (?<target>[\w-]+)(?: [A-Z_]+=(?:"[^"]*"|[\w-]+))*$/;
    for (const [file, { run }] of await everyStep()) {
      if (run === undefined) continue;
      const target = command.exec(run)?.groups?.['target'];
      assert.ok(targets.has(target), `${file}: ${run}`);
    }
  });

  it('install the released programs that the toolchain takes from PATH, in its versions', async () => {
    const { programs, modules } = readProgramsFile(programsFile);
    const versions = (await actionSteps('setup')).map(({ uses = '', with: inputs = {} }) => [
      uses.split('@')[0],
      inputs['node-version'] ?? inputs['pulumi-version'] ?? inputs['version'],
    ]);
    assert.deepEqual(versions, [
      ['actions/cache', undefined],
      ['actions/setup-node', programs['node']?.version],
      ['pulumi/actions', modules['pulumi']?.version.slice(1)],
      ['azure/setup-kubectl', modules['kubernetes']?.version],
      ['', undefined],
    ]);
  });

  it('pass secrets by name', async () => {
    for (const [file, { jobs }] of await workflows()) {
      for (const { uses, secrets } of Object.values(jobs)) {
        if (uses !== undefined) assert.equal(typeof secrets, 'object', file);
      }
    }
  });

  it('read which environments there are from one list', async () => {
    for (const [file, { jobs }] of await workflows()) {
      for (const { strategy } of Object.values(jobs)) {
        const { environment } = strategy?.matrix ?? {};
        if (strategy !== undefined) assert.equal(environment, '${{ fromJSON(needs.environments.outputs.list) }}', file);
      }
    }
    const listed = yaml.load(await readFile(new URL('environments.yaml', GITHUB), 'utf8')) as string[];
    const { status, stdout } = spawnSync('make', ['ci-environments'], { cwd: new URL('..', GITHUB), encoding: 'utf8' });
    assert.deepEqual([status, stdout], [0, `environments=${JSON.stringify(listed)}\n`]);
    const files = await readdir(new URL('..', GITHUB));
    for (const name of listed) assert.ok(files.includes(`Pulumi.${name}.yaml`), name);
  });

  it('do not run twice at once', async () => {
    for (const [file, { on, concurrency }] of await workflows()) {
      if (!('workflow_call' in on)) assert.equal(typeof concurrency?.group, 'string', file);
    }
  });

  it('start with the right to read, and write only comments and pull requests', async () => {
    const proposing = ['contents', 'pull-requests'];
    // The identity of a run, for Pulumi Cloud and clouds, gives no right to anything on GitHub.
    const allowed: Readonly<Record<string, readonly string[]>> = {
      'pull-request.yml': ['pull-requests', 'id-token'],
      'deploy.yml': ['id-token'],
      'deploy-environment.yml': ['id-token', 'id-token'],
      'drift.yml': ['id-token'],
      'release.yml': proposing,
      'publish.yml': ['contents'],
      'promote.yml': proposing,
      'withdraw.yml': proposing,
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

  it('name the environment on the command line of make, without which an audit asks whatever cluster the kubeconfig points at', async () => {
    const targets = /^\s*make (?:policy|up|audit|status|ci-preview|ci-describe)\b/;
    for (const [file, { run }] of await everyStep()) {
      const lines = (run ?? '').split('\n').filter((line) => targets.test(line));
      for (const line of lines) assert.match(line, / ENV="\$ENVIRONMENT"(?: |$)/, file);
    }
  });

  it('hand nothing to make that people have typed and that make or the shell would run', async () => {
    for (const [file, { on, jobs }] of await workflows()) {
      const dispatch = on['workflow_dispatch'] as { inputs?: object } | null | undefined;
      if (dispatch?.inputs === undefined) continue;
      for (const { steps = [] } of Object.values(jobs)) {
        const [first] = steps.filter(({ run }) => run !== undefined);
        assert.equal(first?.run, 'make ci-inputs', file);
      }
    }
  });

  it('tell of a preview that has ended before it could say anything, on the page of the run and in a comment', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'describe-'));
    const [summary, comment] = [join(directory, 'summary.md'), join(directory, 'comment.md')];
    try {
      // What the shell leaves behind when the step of the preview fails at once.
      await writeFile(join(directory, 'preview.json'), '');
      const env = { ...process.env, RUNNER_TEMP: directory, GITHUB_STEP_SUMMARY: summary };
      const { status, stderr } = spawnSync('make', ['ci-describe', 'ENV=dev'], { env, cwd: new URL('..', GITHUB) });
      assert.equal(status, 2, String(stderr));
      const text = await readFile(comment, 'utf8');
      assert.match(
        text,
        /### Preview of `dev`: cannot be read\n[^]*preview\.json: is empty\.[^]*events\.jsonl: there is no such file/,
      );
      assert.equal(await readFile(summary, 'utf8'), text);
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  it('end by themselves', async () => {
    for (const [file, { jobs }] of await workflows()) {
      const own = Object.values(jobs).filter((job) => job.steps !== undefined);
      for (const job of own) assert.ok((job['timeout-minutes'] ?? Infinity) <= 90, file);
    }
  });

  it('comment only where the preview had secrets, and so was not that of a new environment', async () => {
    const { steps = [] } = (await workflows()).find(([file]) => file === 'pull-request.yml')?.[1].jobs['preview'] ?? {};
    const comment = steps.find(({ name }) => name?.startsWith('Comment'));
    const conditions = (comment?.if ?? '').split(' && ');
    assert.ok(
      conditions.includes('github.event.pull_request.head.repo.full_name == github.repository'),
      'not for forks',
    );
    assert.ok(
      conditions.includes("github.actor != 'dependabot[bot]'"),
      'not for Dependabot, whose branches are no fork',
    );
  });

  describe('have environments', () => {
    it('that the documentation sets up', async () => {
      const names = yaml.load(await readFile(new URL('environments.yaml', GITHUB), 'utf8')) as string[];
      const used = (await workflows()).flatMap(([, { jobs }]) =>
        Object.values(jobs).flatMap(({ environment }) =>
          environment === undefined ? [] : names.map((name) => environment.replace(/\$\{\{.*\}\}/, name)),
        ),
      );
      assert.deepEqual([...new Set(used)].sort(), [...(await protections()).keys()].sort());
    });

    it('of which none gives the secrets of production to code that nobody has reviewed', async () => {
      for (const [name, protection] of await protections()) {
        if (name.endsWith('prod')) assert.match(protection, /reviewers|branch main/, name);
      }
    });

    it('that a branch can use only if they wait for reviewers or hold nothing of production', async () => {
      const branches = (await workflows()).filter(([, { on }]) => 'pull_request' in on);
      const names = branches.flatMap(([, { jobs }]) => Object.values(jobs).flatMap((job) => job.environment ?? []));
      assert.deepEqual(names, ['preview-${{ matrix.environment }}']);
      assert.equal((await protections()).get('preview-prod'), 'reviewers');
    });

    it('of which none with secrets runs a program that an earlier commit of the branch has left in the cache', async () => {
      for (const [file, { on, jobs }] of await workflows()) {
        if (!('pull_request' in on)) continue;
        for (const { environment, steps = [] } of Object.values(jobs)) {
          const restoring = steps.filter(({ uses = '' }) => /actions\/(?:cache|setup)\b/.test(uses));
          if (environment === undefined) continue;
          for (const step of restoring) assert.equal(step.with?.['cache'], 'false', file);
        }
      }
    });

    it('whose secrets the code of a branch gets in the steps that need them, and not before', async () => {
      for (const [file, { on, jobs }] of await workflows()) {
        if (!('pull_request' in on)) continue;
        for (const { env } of Object.values(jobs)) assert.doesNotMatch(JSON.stringify(env ?? {}), /secrets\./, file);
      }
    });
  });
});

/** The protection of each environment, as the documentation asks for it. */
async function protections(): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(new URL('../docs/how-to/run-in-ci.md', GITHUB), 'utf8');
  const rows = text.matchAll(/^\| (?<name>[\w-]+) +\| (?<protection>(?:none|branch|reviewers).*?) +\|/gm);
  return new Map(Array.from(rows, ({ groups }) => [groups?.['name'] ?? '', groups?.['protection'] ?? '']));
}
