import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../machine/eventually.ts';
import { findProgram, Program } from '../machine/program.ts';

/** A real BuildKit without anything built before, which pushes to a registry on plain HTTP. It needs root. */
export class BuildKit {
  /** For BUILDKIT_HOST. */
  readonly address: string;
  readonly #program: Program;
  readonly #directory: string;

  private constructor(address: string, program: Program, directory: string) {
    this.address = address;
    this.#program = program;
    this.#directory = directory;
  }

  static async start(registry: string): Promise<BuildKit> {
    const directory = await mkdtemp(join(tmpdir(), 'buildkit-'));
    const socket = join(directory, 'buildkitd.sock');
    const config = join(directory, 'buildkitd.toml');
    await writeFile(
      config,
      `root = "${join(directory, 'data')}"

[grpc]
  address = ["unix://${socket}"]

[worker.containerd]
  enabled = false

[worker.oci]
  enabled = true
  binary = "${findProgram('runc')}"

[registry."${registry}"]
  http = true
`,
    );
    const program = new Program('buildkitd', [`--config=${config}`], join(directory, 'log'));
    const server = new BuildKit(`unix://${socket}`, program, directory);
    try {
      await eventually(() => answers(socket));
    } catch (error) {
      const log = program.tail();
      await server.stop();
      throw new Error(`buildkitd did not start: ${log}`, { cause: error });
    }
    return server;
  }

  async stop(): Promise<void> {
    await this.#program.stop();
    await rm(this.#directory, { recursive: true, force: true });
  }
}

function answers(path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ path }, () => {
      socket.destroy();
      resolve();
    }).once('error', reject);
  });
}
