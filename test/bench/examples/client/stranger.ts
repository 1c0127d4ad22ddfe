import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import yaml from 'js-yaml';
import { mirroredImages } from '../../../../cluster/mirror/mirror.ts';
import { EMBEDDED_OLM } from '../../../../components/olm/versions.ts';
import { checkout } from '../../../../packages/lib/checkout.ts';
import { run } from '../../../../packages/lib/command.ts';
import type { TestCluster } from '../../../support/embedded/test-cluster.ts';
import { findProgram } from '../../../support/machine/program.ts';
import { committedSettings, environmentConfig } from '../../../support/pulumi/environment-config.ts';
import { clone, QUIETLY, type Published } from './publisher.ts';

/** All that is on PATH: nothing that compiles, packs or pushes, not even git. */
const PROGRAMS = ['node', 'npm', 'npx', 'sh', 'kubectl', 'pulumi', 'pulumi-language-nodejs'];
const PLUGIN = 'pulumi-resource-kubernetes';

/** What a clone does without: what images are built from, what builds them, and what runs on other clusters than one's own. */
const REMOVED = [
  'controller',
  'demo',
  'catalog',
  'toolchain',
  'cluster',
  'policies',
  'test',
  'maintenance',
  'Makefile',
];

const EXAMPLE = 'examples/client/Pulumi.example.yaml';

/** Somebody who only consumes: a machine with Pulumi and kubectl, a clone without build steps, and an empty cluster. */
export class Stranger {
  /** The clone. */
  readonly clone: string;
  readonly #directory: string;
  readonly #cluster: TestCluster;
  readonly #env: NodeJS.ProcessEnv;

  constructor(cluster: TestCluster, directory: string) {
    this.#cluster = cluster;
    this.#directory = directory;
    this.clone = join(directory, 'clone');
    const bin = join(directory, 'bin');
    const state = join(directory, 'state');
    for (const folder of [bin, state, join(directory, 'home')]) mkdirSync(folder, { recursive: true });
    for (const program of [...PROGRAMS, PLUGIN]) symlinkSync(realpathSync(findProgram(program)), join(bin, program));
    this.#env = {
      PATH: bin,
      HOME: join(directory, 'home'),
      KUBECONFIG: cluster.layout.kubeconfig,
      PULUMI_BACKEND_URL: `file://${state}`,
      PULUMI_CONFIG_PASSPHRASE: 'of the stranger',
      PULUMI_SKIP_UPDATE_CHECK: 'true',
      ...npmSettings(),
    };
  }

  /** Runs a program in the clone, or in another folder, with nothing but what this machine has. */
  async run(program: string, args: readonly string[], cwd = this.clone, input?: string): Promise<string> {
    return run(join(this.#directory, 'bin', program), args, { cwd, env: this.#env, input });
  }

  /** A clone, from which every build step is removed. */
  async fetch(): Promise<string> {
    await clone(this.clone);
    await this.run('npm', ['ci', '--omit=dev', ...QUIETLY]);
    for (const name of REMOVED) rmSync(join(this.clone, name), { recursive: true });
    return `without ${REMOVED.join(', ')}; on PATH: ${[...PROGRAMS, PLUGIN].join(', ')}`;
  }

  /** The example's settings, edited as its README says, for this cluster and its registry. */
  settings({ catalog, key }: Published): Readonly<Record<string, unknown>> {
    const { ca, context } = this.#cluster.environment;
    const manifest = readFileSync(join(checkout, `.tools/share/olm-v${EMBEDDED_OLM}.yaml`));
    const { catalogd, 'operator-controller': operatorController } = mirroredImages(this.#cluster.layout);
    writeFileSync(join(this.clone, 'olm.yaml'), manifest);
    cpSync(ca, join(this.clone, 'ca.pem'));
    cpSync(key, join(this.clone, 'cosign.pub'));
    return {
      kubeContext: context,
      registryCa: 'ca.pem',
      catalog: { ...committedSettings(EXAMPLE, 'catalog'), image: catalog },
      olm: {
        version: EMBEDDED_OLM,
        manifest: 'olm.yaml',
        manifestSha256: createHash('sha256').update(manifest).digest('hex'),
        images: { catalogd, operatorController },
      },
    };
  }

  /** Road (a): the program of this repository. */
  configure(published: Published): void {
    writeFileSync(join(this.clone, 'Pulumi.mine.yaml'), environmentConfig(EXAMPLE, this.settings(published)));
  }

  /** Road (b): the ten lines, in a project of their own. */
  async project(published: Published): Promise<string> {
    const folder = join(this.#directory, 'my-fleet');
    cpSync(join(this.clone, 'examples/client/program'), folder, { recursive: true });
    await this.run('npm', ['install', ...QUIETLY, published.components], folder);
    const { olm, kubeContext } = this.settings(published);
    const config = {
      kubeContext,
      catalog: published.catalog,
      registryCa: readFileSync(join(this.clone, 'ca.pem'), 'utf8'),
      verify: readFileSync(published.key, 'utf8'),
      olm: { ...(olm as object), manifest: join(this.clone, 'olm.yaml') },
    };
    const named = Object.entries(config).map(([key, value]) => [`my-fleet:${key}`, value] as const);
    writeFileSync(join(folder, 'Pulumi.mine.yaml'), yaml.dump({ config: Object.fromEntries(named) }));
    return folder;
  }
}

/** Where this machine has its npm packages from, and what it has of them. */
function npmSettings(): NodeJS.ProcessEnv {
  const { npm_config_registry: registry, npm_config_cache: cache = join(homedir(), '.npm') } = process.env;
  return { npm_config_cache: cache, ...(registry === undefined ? {} : { npm_config_registry: registry }) };
}
