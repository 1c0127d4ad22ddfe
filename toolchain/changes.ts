import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Problem, refuse } from '../packages/lib/problem.ts';
import type { GoModule } from './programs-file.ts';

/** One difference between a released program and ours. docs/reference/changed-programs.md is generated from them. */
export interface Change {
  readonly what: string;
  readonly why: string;
  /** What users could miss or notice. */
  readonly cost: string;
  /** `module: version`, in place of the versions that the program itself requires. */
  readonly require?: Readonly<Record<string, string>>;
  /** `module: other@version`, modules that are replaced by others. */
  readonly replace?: Readonly<Record<string, string>>;
  /** `target: source`, files of the source that are copied within it. */
  readonly copy?: Readonly<Record<string, string>>;
  /** Files of the source that are left out. */
  readonly remove?: readonly string[];
  readonly substitute?: readonly Substitution[];
  /** Files of our own, by their path in the source and below toolchain/programs/<module>/source. */
  readonly add?: readonly string[];
}

/** A text that a file of the source has exactly once, and what it becomes. */
export interface Substitution {
  readonly file: string;
  readonly find: string;
  readonly put: string;
}

/** Where a module's own files are. */
export function ownSource(moduleDirectory: string): string {
  return join(moduleDirectory, 'source');
}

/** Versions that a module's changes require. */
export function changedVersions(module: GoModule): Readonly<Record<string, string>> {
  return Object.assign({}, ...changesOf(module).map(({ require }) => require)) as Record<string, string>;
}

/** Modules that are replaced by others. */
export function replacedModules(module: GoModule): Readonly<Record<string, string>> {
  return Object.assign({}, ...changesOf(module).map(({ replace }) => replace)) as Record<string, string>;
}

/** Whether a module is built from a changed copy of its source. */
export function changesSource(module: GoModule): boolean {
  return changesOf(module).some(({ copy, remove, substitute, add }) => copy ?? remove ?? substitute ?? add);
}

/** Identifies the changes. Their descriptions do not count, so that a better sentence causes no rebuild. */
export function changesKey(module: GoModule, moduleDirectory: string): string {
  const hash = createHash('sha256');
  for (const { require, replace, copy, remove, substitute, add } of changesOf(module)) {
    hash.update(JSON.stringify([require, replace, copy, remove, substitute, add]));
    for (const path of add ?? []) hash.update(readFileSync(join(ownSource(moduleDirectory), path)));
  }
  return hash.digest('hex');
}

/** Makes the changes in a copy of the released source. Those that do not fit are reported together, and nothing is built. */
export function applyChanges(module: GoModule, moduleDirectory: string, source: string): void {
  const problems = changesOf(module).flatMap(({ copy, remove, substitute, add }) => [
    ...Object.entries(copy ?? {}).flatMap(([to, from]) =>
      withFile(source, from, (path) => copyFileSync(path, join(source, to))),
    ),
    ...(remove ?? []).flatMap((file) => withFile(source, file, (path) => rmSync(path))),
    ...(substitute ?? []).flatMap((substitution) => replaceOnce(source, substitution)),
    ...(add ?? []).flatMap((file) => addFile(moduleDirectory, source, file)),
  ]);
  const object = `${module.path}@${module.version}`;
  const remedy = 'The source is not what the changes in programs.yaml were written for: adapt them.';
  refuse(problems.map((problem) => ({ object, ...problem, remedy })));
}

function changesOf(module: GoModule): readonly Change[] {
  return module.changes ?? [];
}

function withFile(source: string, file: string, work: (path: string) => void): Problem[] {
  const path = join(source, file);
  if (!existsSync(path)) return [{ path: file, message: 'is not in the source' }];
  work(path);
  return [];
}

function replaceOnce(source: string, { file, find, put }: Substitution): Problem[] {
  const path = join(source, file);
  if (!existsSync(path)) return [{ path: file, message: 'is not in the source' }];
  const parts = readFileSync(path, 'utf8').split(find);
  if (parts.length !== 2) {
    return [{ path: file, value: find, message: `must contain the text exactly once, not ${parts.length - 1} times` }];
  }
  writeFileSync(path, parts.join(put));
  return [];
}

function addFile(moduleDirectory: string, source: string, file: string): Problem[] {
  const target = join(source, file);
  return withFile(ownSource(moduleDirectory), file, (path) => {
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(path, target);
  });
}
