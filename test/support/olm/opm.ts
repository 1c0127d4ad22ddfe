import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from '../machine/program.ts';

/** How a program ended. */
export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The reference implementation of catalogs, with its own home directory. */
export class Opm {
  readonly #home: string;

  private constructor(home: string) {
    this.#home = home;
  }

  static async prepare(): Promise<Opm> {
    const home = await mkdtemp(join(tmpdir(), 'opm-'));
    const folder = join(home, '.config', 'containers');
    await mkdir(folder, { recursive: true });
    // Its image library pulls nothing without a policy.
    await writeFile(join(folder, 'policy.json'), JSON.stringify({ default: [{ type: 'insecureAcceptAnything' }] }));
    return new Opm(home);
  }

  /** `opm alpha render-template semver` of a template's text. */
  renderSemver(template: string, output: string): Promise<Outcome> {
    return this.#run(['alpha', 'render-template', 'semver', '-', '-o', output, '--use-http'], template);
  }

  /** `opm validate` of a catalog's text. */
  async validate(catalog: string): Promise<Outcome> {
    return this.#run(['validate', await this.#folderOf(catalog)], '');
  }

  /** `opm render` of a catalog's text: what opm reads in it, in opm's words. */
  async render(catalog: string): Promise<Outcome> {
    return this.#run(['render', await this.#folderOf(catalog), '-o', 'json'], '');
  }

  /** `opm alpha render-graph` of a catalog's text, as `render-template` draws it. */
  async renderGraph(catalog: string): Promise<Outcome> {
    return this.#run(['alpha', 'render-graph', '--draw-v0-semantics', await this.#folderOf(catalog)], '');
  }

  async remove(): Promise<void> {
    await rm(this.#home, { recursive: true, force: true });
  }

  async #folderOf(catalog: string): Promise<string> {
    const folder = await mkdtemp(join(this.#home, 'catalog-'));
    await writeFile(join(folder, 'catalog.json'), catalog);
    return folder;
  }

  #run(args: readonly string[], input: string): Promise<Outcome> {
    const env = { PATH: process.env['PATH'], HOME: this.#home };
    return new Promise((resolve) => {
      const options = { env, maxBuffer: 256 * 1024 * 1024 };
      const child = execFile(findProgram('opm'), args, options, (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : 1, stdout, stderr });
      });
      child.stdin?.end(input);
    });
  }
}
