import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../components/process/command.ts';
import { goEnvironment, packagePath } from './go-build.ts';
import type { GoModule, ProgramsFile } from './programs-file.ts';

/**
 * Pins a module: writes the go.mod and go.sum that its programs are built with. A module of our own requires the released
 * one, so that nothing of its source is copied or edited, and Go itself verifies every download against the committed go.sum.
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
  const packages = Object.values(file.programs)
    .filter((program) => program.module === name)
    .map((program) => packagePath(module, program.package ?? '.'));
  const tags = `-tags=${(module.tags ?? []).join(',')}`;
  // Nothing is built of it: its own checksum is all that is needed.
  if (packages.length === 0) {
    await run('go', ['mod', 'download', `${module.path}@${module.version}`], { cwd: directory, env });
    return;
  }
  // Files that are copied into the source before a build are not there yet; -e goes on without them, and without anything else
  // that is wrong, so that the rest has to be looked at.
  const args = ['list', '-e', '-deps', '-mod=mod', tags, '-f', '{{with .Error}}{{.Err}}{{"\\n"}}{{end}}', ...packages];
  const errors = (await run('go', args, { cwd: directory, env })).split('\n').filter((line) => line.trim() !== '');
  const serious = errors.filter((line) => !line.includes('no matching files found'));
  if (serious.length > 0) throw new Error(`module ${name} cannot be locked:\n${serious.join('\n')}`);
}

/** The go.mod that a module is locked with. */
export function renderGoMod(name: string, module: GoModule, stagedLibraries: readonly string[]): string {
  const requires = Object.entries({ [module.path]: module.version, ...module.require });
  const replaces = [
    ...Object.entries(module.replace ?? {}).map(([path, target]) => `replace ${path} => ${target.replace('@', ' ')}`),
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
