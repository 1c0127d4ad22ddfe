import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { embeddedCluster } from '../../cluster/embedded/environment.ts';
import { configuredLayout } from '../../cluster/embedded/layout.ts';
import { checkout, stateDirectory } from '../../cluster/tools/places.ts';
import type { Execute } from './execute.ts';
import type { StackFile } from './stack-file.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The environment in which Pulumi runs. Where nobody chose a backend, state is kept on this machine, which is enough for
 * one person; teams set PULUMI_BACKEND_URL. The state of an embedded cluster is kept with the cluster and deleted with it:
 * otherwise Pulumi would take what a deleted cluster had for what the next one has.
 */
export function pulumiEnvironment(env: Environment, { embedded }: StackFile): Environment {
  const local = join(embedded ? configuredLayout(env).root : stateDirectory(env), 'pulumi');
  const backend = env['PULUMI_BACKEND_URL'] === undefined ? { PULUMI_BACKEND_URL: `file://${local}` } : {};
  const passphrase =
    env['PULUMI_CONFIG_PASSPHRASE'] === undefined && env['PULUMI_CONFIG_PASSPHRASE_FILE'] === undefined
      ? { PULUMI_CONFIG_PASSPHRASE: '' }
      : {};
  // The embedded cluster's builder is found by the image provider through its Docker configuration.
  const dockerConfig = embedded ? embeddedCluster(configuredLayout(env))?.dockerConfig : undefined;
  return {
    ...env,
    ...backend,
    ...('PULUMI_BACKEND_URL' in backend ? passphrase : {}),
    ...(dockerConfig === undefined ? {} : { DOCKER_CONFIG: dockerConfig }),
    PULUMI_SKIP_UPDATE_CHECK: 'true',
    PULUMI_SUPPRESS_NEO_LINK: 'true',
    // Pulumi starts several Node processes, with and without policies; compiled code is kept between them.
    NODE_COMPILE_CACHE: env['NODE_COMPILE_CACHE'] ?? join(checkout, 'node_modules', '.cache', 'compiled'),
  };
}

/** Runs `pulumi` for a stack, which is created where it does not exist yet. */
export async function pulumi(
  execute: Execute,
  { checkout, stack, env }: { readonly checkout: string; readonly stack: string; readonly env: Environment },
  args: readonly string[],
): Promise<void> {
  const backend = env['PULUMI_BACKEND_URL'] ?? '';
  if (backend.startsWith('file:///')) mkdirSync(fileURLToPath(backend), { recursive: true });
  // Providers leave files behind that they make for themselves, kubeconfigs with keys among them.
  const TMPDIR = mkdtempSync(join(tmpdir(), 'fleet-'));
  try {
    const options = { cwd: checkout, env: { ...env, TMPDIR } };
    await execute('pulumi', ['stack', 'select', '--create', '--stack', stack], { ...options, quiet: true });
    // Pulumi does not tell policies which stack they judge.
    await execute('pulumi', [...args, '--stack', stack], {
      cwd: checkout,
      env: { ...options.env, PULUMI_STACK: stack },
    });
  } finally {
    rmSync(TMPDIR, { recursive: true, force: true });
  }
}
