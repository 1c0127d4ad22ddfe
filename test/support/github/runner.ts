import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkout } from '../../../packages/lib/checkout.ts';
import { CommandError, run } from '../../../packages/lib/command.ts';
import { findProgram } from '../machine/program.ts';
import { writeScript } from '../machine/stand-ins.ts';
import type { Repository } from './repository.ts';

/** What a workflow is run with. */
export interface Given {
  readonly event?: 'workflow_dispatch' | 'push';
  readonly inputs?: Readonly<Record<string, string>>;
  readonly secrets?: Readonly<Record<string, string>>;
  readonly vars?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Ended {
  readonly succeeded: boolean;
  readonly output: string;
}

/** What the actions of others do here. None of them can be fetched, and most would only install something. */
const ARTIFACTS = {
  'actions/upload-artifact': 'mkdir -p "$ARTIFACTS/$NAME" && cp "$AT" "$ARTIFACTS/$NAME/"',
  'actions/download-artifact': 'mkdir -p "$AT" && cp "$ARTIFACTS/$NAME/"* "$AT/"',
};

/** Runs workflows of a repository on this machine with act, without containers. Programs that leave it are stand-ins. */
export class Runner {
  readonly #repository: Repository;
  readonly #bin: string;
  readonly #actions: string;
  readonly calls: string;

  constructor(repository: Repository, programs: Readonly<Record<string, string>> = {}) {
    this.#repository = repository;
    this.#bin = join(repository.root, 'bin');
    this.#actions = join(repository.root, 'actions');
    this.calls = join(repository.root, 'calls');
    mkdirSync(this.#bin);
    writeFileSync(this.calls, '');
    // Every job begins with a fresh copy, which would install the same packages again.
    // `.gitignore` names a folder, and this is a link.
    const install = `ln -sfn '${checkout}/node_modules' node_modules && echo node_modules >> .git/info/exclude`;
    const npm = `if [ "$1" = ci ]; then ${install}; else exec '${findProgram('npm')}' "$@"; fi`;
    const all = { npm, docker: record('docker', 'cat > /dev/null'), gh: record('gh', GH), ...programs };
    for (const [name, script] of Object.entries(all)) writeScript(join(this.#bin, name), script);
  }

  /** Runs a workflow to its end. */
  async run(workflow: string, given: Given = {}): Promise<Ended> {
    const { event = 'workflow_dispatch', inputs = {}, secrets = {}, vars = {}, env = {} } = given;
    const pairs = (option: string, values: Readonly<Record<string, string>>): string[] =>
      Object.entries(values).flatMap(([name, value]) => [option, `${name}=${value}`]);
    const { directory, root } = this.#repository;
    const args = [
      event,
      ...['--directory', directory, '--workflows', join(directory, '.github/workflows', workflow)],
      // In a copy of the clone, without containers.
      ...['--platform', 'ubuntu-24.04=-self-hosted', '--action-cache-path', join(root, 'cache')],
      ...this.#standIns(),
      ...pairs('--input', inputs),
      ...pairs('--secret', secrets),
      ...pairs('--var', vars),
      ...pairs('--env', { ...env, CALLS: this.calls, ARTIFACTS: join(root, 'artifacts') }),
    ];
    const variables = { ...process.env, PATH: `${this.#bin}:${process.env['PATH'] ?? ''}`, ...env };
    try {
      return { succeeded: true, output: await run(findProgram('act'), args, { env: variables }) };
    } catch (error) {
      if (error instanceof CommandError) return { succeeded: false, output: error.output };
      throw error;
    }
  }

  /** What was asked of programs that leave this machine, since the last time. */
  asked(): readonly string[] {
    const lines = readFileSync(this.calls, 'utf8').split('\n').slice(0, -1);
    writeFileSync(this.calls, '');
    return lines;
  }

  /** One for each action of others, under the very commit that the workflows pin. */
  #standIns(): string[] {
    const { directory } = this.#repository;
    const files = ['.github/workflows/*.yml', '.github/actions/*/action.yml'];
    const texts = globSync(files, { cwd: directory }).map((file) => readFileSync(join(directory, file), 'utf8'));
    const used = texts.flatMap((text) => Array.from(text.matchAll(/uses: ([\w-]+\/[\w-]+)@([0-9a-f]{40})/g)));
    const pins = new Set(used.map(([, name = '', commit = '']) => `${name}@${commit}`));
    return [...pins].flatMap((pin) => ['--local-repository', `${pin}=${this.#standIn(pin.split('@')[0] ?? '')}`]);
  }

  #standIn(name: string): string {
    const folder = join(this.#actions, name);
    mkdirSync(folder, { recursive: true });
    const run = Object.entries(ARTIFACTS).find(([action]) => action === name)?.[1] ?? 'true';
    const steps = [{ run, shell: 'bash', env: { NAME: '${{ inputs.name }}', AT: '${{ inputs.path }}' } }];
    const action = {
      name,
      description: 'A stand-in.',
      inputs: { name: {}, path: {} },
      runs: { using: 'composite', steps },
    };
    writeFileSync(join(folder, 'action.yml'), JSON.stringify(action));
    return folder;
  }
}

/** Writes down how it was called, then does the rest. */
function record(name: string, rest: string): string {
  return `printf '%s\\n' "${name} $*" >> "$CALLS"\n${rest}`;
}

/** Knows the pull requests that it has opened. */
const GH = `
case "$1 $2" in
  "pr create")
    for last; do :; done
    while [ "$1" != --head ]; do shift; done
    mkdir -p "$ARTIFACTS/pulls"
    echo "https://github.example.com/pull/$(echo "\${2##*:}" | tr -d '\\n')" | tee "$ARTIFACTS/pulls/\${2##*:}" ;;
  "pr list")
    while [ "$1" != --head ]; do shift; done
    cat "$ARTIFACTS/pulls/$2" 2>/dev/null || true ;;
esac`;
