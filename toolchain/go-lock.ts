import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../packages/lib/command.ts';
import { changedVersions, replacedModules } from './changes.ts';
import { goEnvironment, packagePath, prepareWorkspace } from './go-build.ts';
import type { GoModule, ProgramsFile } from './programs-file.ts';

/**
 * Pins a module: writes the go.mod and go.sum that its programs are built with. A module of our own requires the released
 * one, so that Go itself verifies every download against the committed go.sum. What our changes remove is not pinned.
 */
export async function lockModule(file: ProgramsFile, name: string, directory: string): Promise<void> {
  const module = file.modules[name];
  if (module === undefined) throw new Error(`no module ${name} in programs.yaml`);
  mkdirSync(directory, { recursive: true });
  rmSync(join(directory, 'go.sum'), { force: true });
  writeFileSync(join(directory, 'go.mod'), renderGoMod(name, module, []));
  if (module.stagingVersion !== undefined) {
    const staged = await stagedLibraries(module, directory);
    writeFileSync(join(directory, 'go.mod'), renderGoMod(name, module, staged));
  }
  const env = { ...goEnvironment(), GONOSUMDB: (module.unlisted ?? []).join(',') };
  await run('go', ['mod', 'download', `${module.path}@${module.version}`], { cwd: directory, env });
  const packages = Object.values(file.programs)
    .filter((program) => program.module === name)
    .map((program) => packagePath(module, program.package ?? '.'));
  // Nothing is built from it: its own checksum is enough.
  if (packages.length === 0) return;
  const workspace = mkdtempSync(join(tmpdir(), `lock-${name}-`));
  try {
    await prepareWorkspace(name, module, directory, workspace);
    const tags = `-tags=${(module.tags ?? []).join(',')}`;
    await run('go', ['list', '-deps', '-mod=mod', '-f', '', tags, ...packages], { cwd: workspace, env });
    await run('go', ['mod', 'edit', `-dropreplace=${module.path}`], { cwd: workspace, env });
    for (const pin of ['go.mod', 'go.sum']) copyFileSync(join(workspace, pin), join(directory, pin));
  } finally {
    rmSync(workspace, { recursive: true, force: true });
  }
}

/** The go.mod that a module is locked with. */
export function renderGoMod(name: string, module: GoModule, stagedLibraries: readonly string[]): string {
  const requires = Object.entries({ [module.path]: module.version, ...changedVersions(module) });
  const replaces = [
    ...Object.entries(replacedModules(module)).map(
      ([path, target]) => `replace ${path} => ${target.replace('@', ' ')}`,
    ),
    ...stagedLibraries.map((path) => `replace ${path} => ${path} ${module.stagingVersion ?? ''}`),
  ];
  return [
    `module inference-stack-fleet/programs/${name}`,
    'go 1.25.0',
    ...requires.map(([path, version]) => `require ${path} ${version}`),
    ...replaces,
    '',
  ].join('\n\n');
}

async function stagedLibraries(module: GoModule, directory: string): Promise<string[]> {
  const target = `${module.path}@${module.version}`;
  const answer = await run('go', ['mod', 'download', '-json', target], { cwd: directory, env: goEnvironment() });
  const { GoMod } = JSON.parse(answer) as { GoMod: string };
  return readFileSync(GoMod, 'utf8')
    .split('\n')
    .flatMap((line) => /^\s*(\S+) v0\.0\.0$/.exec(line)?.[1] ?? [])
    .sort();
}
