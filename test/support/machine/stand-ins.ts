import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Programs that do only what a test says: shell scripts, which this process finds before all others on PATH. */
export class StandIns {
  readonly #directory = mkdtempSync(join(tmpdir(), 'stand-ins-'));
  readonly #path = process.env['PATH'] ?? '';

  constructor(scripts: Readonly<Record<string, string>>) {
    for (const [name, script] of Object.entries(scripts)) writeScript(join(this.#directory, name), script);
    process.env['PATH'] = `${this.#directory}:${this.#path}`;
  }

  remove(): void {
    process.env['PATH'] = this.#path;
    rmSync(this.#directory, { recursive: true });
  }
}

export function writeScript(path: string, script: string): void {
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
}
