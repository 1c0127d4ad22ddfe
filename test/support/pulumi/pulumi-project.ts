import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import yaml from 'js-yaml';
import { checkout } from '../../../packages/lib/checkout.ts';
import { findProgram } from '../machine/program.ts';
import { environmentConfig, type Settings } from './environment-config.ts';

export interface Outcome {
  readonly code: number;
  readonly output: string;
}

/**
 * The committed program, or another, as a project of its own, with state, configuration and plugins' home in a temporary directory:
 * Pulumi writes into the environments' files that it gets, and a test must not change the checkout's.
 */
export class PulumiProject {
  readonly directory = mkdtempSync(join(tmpdir(), 'pulumi-project-'));
  readonly env: NodeJS.ProcessEnv;

  constructor(env: NodeJS.ProcessEnv = {}, main = join(checkout, 'infra')) {
    const project = yaml.load(readFileSync(join(checkout, 'Pulumi.yaml'), 'utf8')) as object;
    this.write('Pulumi.yaml', yaml.dump({ ...project, main }));
    // A language host reads the version of what it runs from here.
    cpSync(join(checkout, 'package.json'), join(this.directory, 'package.json'));
    this.env = {
      ...process.env,
      PULUMI_BACKEND_URL: `file://${this.directory}`,
      PULUMI_HOME: join(this.directory, 'home'),
      PULUMI_CONFIG_PASSPHRASE: '',
      PULUMI_SKIP_UPDATE_CHECK: 'true',
      NODE_COMPILE_CACHE: join(checkout, 'node_modules', '.cache', 'compiled'),
      ...env,
    };
  }

  /** Creates an environment with the settings of a committed file, some of them changed. */
  async environment(name: string, file: string, changes: Settings = {}): Promise<void> {
    this.write(`Pulumi.${name}.yaml`, environmentConfig(file, changes));
    const { code, output } = await this.pulumi(['stack', 'select', '--create', '--stack', name]);
    if (code !== 0) throw new Error(output);
  }

  /** Runs Pulumi to its end. `onOutput` gets the output meanwhile. */
  async pulumi(
    args: readonly string[],
    env: NodeJS.ProcessEnv = {},
    onOutput: (text: string) => void = () => undefined,
  ): Promise<Outcome> {
    return new Promise((resolve) => {
      const options = { cwd: this.directory, env: { ...this.env, ...env }, maxBuffer: 64 * 1024 * 1024 };
      const child = execFile(
        findProgram('pulumi'),
        [...args, '--non-interactive', '--color=never'],
        options,
        (error, stdout, stderr) => {
          const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
          resolve({ code, output: `${stdout}${stderr}` });
        },
      );
      child.stdout?.on('data', onOutput);
    });
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.directory, name), text);
  }
}
