import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { basename, delimiter, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeEmbeddedCluster } from '../../cluster/embedded-cluster.ts';
import { checkout } from '../../packages/lib/checkout.ts';
import { run } from '../../packages/lib/command.ts';
import { SETTINGS_FILE_VARIABLE } from '../../infra/config/project.ts';
import { pulumiHome } from '../../toolchain/pulumi-home.ts';
import { findBackend, localState } from './backend.ts';
import type { Execute } from './execute.ts';
import { privateProject } from './private-project.ts';
import type { EnvironmentFile } from './environment-file.ts';
import type { Variables } from '../io.ts';

/** The variables of Pulumi's process. Pulumi finds a chosen backend by itself. */
export function pulumiVariables(
  env: Variables,
  { embedded, name }: Pick<EnvironmentFile, 'embedded' | 'name'>,
): Variables {
  const backend = findBackend(env, { embedded });
  // The embedded cluster's builder is found by the image provider through its Docker configuration.
  const { exists, dockerConfig } = describeEmbeddedCluster(env);
  return {
    ...env,
    ...(backend.kind === 'embedded' ? localState(env, backend.url) : {}),
    ...(embedded && exists ? { DOCKER_CONFIG: dockerConfig } : {}),
    ...absoluteKubeconfig(env),
    // Pulumi gets a copy, and the program only the settings in it.
    [SETTINGS_FILE_VARIABLE]: name,
    PULUMI_SKIP_UPDATE_CHECK: 'true',
    PULUMI_SUPPRESS_NEO_LINK: 'true',
    ...pluginVariables(env),
    // If an environment's file does not say how its secrets are encrypted, its state does.
    PULUMI_FALLBACK_TO_STATE_SECRETS_MANAGER: 'true',
    // Pulumi starts several Node processes, with and without policies; compiled code is kept between them.
    NODE_COMPILE_CACHE: env['NODE_COMPILE_CACHE'] ?? join(checkout, 'node_modules', '.cache', 'compiled'),
    // They end before garbage collection pays off. What the user has set comes later and wins.
    NODE_OPTIONS: ['--max-semi-space-size=64', env['NODE_OPTIONS'] ?? ''].join(' ').trim(),
  };
}

/** Makes a path absolute: Pulumi runs the program in another directory. */
function absoluteKubeconfig({ KUBECONFIG = '' }: Variables): Variables {
  if (KUBECONFIG === '') return {};
  const paths = KUBECONFIG.split(delimiter).map((path) => (path === '' ? '' : resolve(path)));
  return { KUBECONFIG: paths.join(delimiter) };
}

/**
 * Pulumi warns about each plugin that it finds on PATH, at each run. So it gets a home of its own with the plugins
 * of this checkout installed. The user's own home still says where they are logged in.
 */
export function pluginVariables(env: Variables, home = pulumiHome()): Variables {
  if (home === undefined) return {};
  const own = (name: string): string | undefined => (env[name] === '' ? undefined : env[name]);
  return {
    PULUMI_HOME: home,
    PULUMI_CREDENTIALS_PATH: own('PULUMI_CREDENTIALS_PATH') ?? own('PULUMI_HOME') ?? join(homedir(), '.pulumi'),
    PULUMI_IGNORE_AMBIENT_PLUGINS: 'true',
  };
}

/** An environment, and what Pulumi needs to work on it. */
export interface PulumiRun {
  readonly checkout: string;
  readonly environment: string;
  /** The text of the environment's file. */
  readonly configuration: string;
  readonly env: Variables;
}

/** Runs a command of Pulumi that creates, changes or previews. Creates the environment first if necessary. */
export async function pulumi(execute: Execute, of: PulumiRun, args: readonly string[]): Promise<void> {
  await inPrivate(of, async (directory, configFile, env) => {
    await create(execute, of, directory, env);
    await operate(execute, of, configFile, env, args);
  });
}

/** Runs a command of Pulumi that takes the environment's configuration, for an environment that exists. */
export async function pulumiOnExisting(execute: Execute, of: PulumiRun, args: readonly string[]): Promise<void> {
  await inPrivate(of, (_directory, configFile, env) => operate(execute, of, configFile, env, args));
}

/** Runs a command of Pulumi about an environment's state. */
export async function pulumiState(execute: Execute, of: PulumiRun, args: readonly string[]): Promise<void> {
  await inPrivate(of, (directory, _configFile, env) =>
    execute('pulumi', [...args, '--stack', of.environment], { cwd: directory, env }),
  );
}

/** The outputs of the program, as its last update left them. */
export async function pulumiOutputs(of: PulumiRun, read = run): Promise<unknown> {
  const args = ['stack', 'output', '--json', '--stack', of.environment];
  const text = await inPrivate(of, (directory, _configFile, env) => read('pulumi', args, { cwd: directory, env }));
  return JSON.parse(text) as unknown;
}

/** What `pulumi preview --json` prints. Creates the environment first if necessary, as its first update would. */
export async function pulumiPreview(
  execute: Execute,
  of: PulumiRun,
  args: readonly string[],
  read = run,
): Promise<string> {
  return inPrivate(of, async (directory, configFile, env) => {
    await create(execute, of, directory, env);
    const [words, options] = operation(of, configFile, env, ['preview', '--json', ...args]);
    return read('pulumi', words, options);
  });
}

async function operate(
  execute: Execute,
  of: PulumiRun,
  configFile: string,
  env: Variables,
  args: readonly string[],
): Promise<void> {
  const [words, options] = operation(of, configFile, env, args);
  await execute('pulumi', words, options);
}

/** How Pulumi is called for an environment with its configuration. */
function operation(
  { checkout, environment }: PulumiRun,
  configFile: string,
  env: Variables,
  args: readonly string[],
): [readonly string[], { readonly cwd: string; readonly env: Variables }] {
  // In a log, progress dots would become lines of dots.
  const words = [...args, '--suppress-progress', '--stack', environment, '--config-file', configFile];
  // Pulumi does not tell policies which environment they judge.
  return [words, { cwd: checkout, env: { ...env, PULUMI_STACK: basename(environment) } }];
}

/** If Pulumi cannot show the environment for another reason than that it is missing, `init` fails too and says why. */
async function create(execute: Execute, { environment }: PulumiRun, cwd: string, env: Variables): Promise<void> {
  const options = { cwd, env, quiet: true };
  await execute('pulumi', ['stack', '--show-name', '--stack', environment], options).catch(() =>
    execute('pulumi', ['stack', 'init', '--no-select', '--stack', environment], options),
  );
}

/** Runs the work in a temporary folder with the environment's configuration. Providers write their files there, too. */
async function inPrivate<T>(
  { checkout, environment, configuration, env }: PulumiRun,
  work: (directory: string, configFile: string, env: Variables) => Promise<T>,
): Promise<T> {
  const backend = env['PULUMI_BACKEND_URL'] ?? '';
  if (backend.startsWith('file:///')) mkdirSync(fileURLToPath(backend), { recursive: true });
  // Providers leave files behind, kubeconfigs with keys among them.
  const directory = mkdtempSync(join(tmpdir(), 'fleet-'));
  try {
    const configFile = privateProject(directory, checkout, environment, configuration);
    return await work(directory, configFile, { ...env, TMPDIR: directory });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
