import { code } from '../packages/lib/markdown.ts';
import type { Change } from './changes.ts';
import type { GoModule, ProgramsFile } from './programs-file.ts';

const INTRODUCTION = `# What is changed in the programs, and what it costs

<!-- Written by \`make generate\` from toolchain/programs.yaml. -->

Programs that are not on a machine in an accepted version are built from their released source, as the Go module proxy serves it
and \`toolchain/programs/<module>/go.sum\` pins it. All of them are built without C (\`CGO_ENABLED=0\`), without paths of the machine
(\`-trimpath\`) and without debug information (\`-ldflags "-s -w"\`, \`-gcflags=all=-dwarf=false\`): a debugger has nothing to show, but stack
traces are complete.

All other differences are listed here, with the reason. Whatever the embedded cluster, the program and the tests use behaves as
released. A change that no longer fits the source fails the build: a text that is replaced must occur exactly once, and a file that
is left out must exist. How it is done: [decision 0071](../decisions/0071-changes-to-released-programs.md).
`;

/** The page, before it is formatted. */
export function changedPrograms(file: ProgramsFile): string {
  const modules = Object.entries(file.modules).map(([name, module]) => ({
    name,
    module,
    programs: builtOf(file, name),
  }));
  const changed = modules.filter(({ module }) => module.changes !== undefined);
  const unchanged = modules.filter(({ module, programs }) => module.changes === undefined && programs.length > 0);
  return [
    INTRODUCTION,
    ...changed.map(({ name, module, programs }) => section(name, module, programs)),
    `## Unchanged\n\n${unchanged.flatMap(({ programs }) => programs.map(code)).join(', ')}.`,
  ].join('\n');
}

function builtOf(file: ProgramsFile, module: string): string[] {
  return Object.keys(file.programs).filter((name) => file.programs[name]?.module === module);
}

function section(name: string, module: GoModule, programs: readonly string[]): string {
  const title = `## ${programs.join(', ')}\n\nFrom ${code(`${module.path}@${module.version}`)}.`;
  return [title, ...(module.changes ?? []).map((change) => entry(name, change))].join('\n\n');
}

function entry(module: string, change: Change): string {
  const { what, why, cost } = change;
  return `- **${what}.**\n  - Why: ${why}\n  - Cost: ${cost}\n  - How: ${means(module, change).join('; ')}.`;
}

/** What is done, in words. */
function means(module: string, { require, replace, copy, remove, substitute, add }: Change): string[] {
  const own = (path: string): string => `[${code(path)}](../../toolchain/programs/${module}/source/${path})`;
  const substituted = [...new Set((substitute ?? []).map(({ file }) => file))];
  return [
    ...phrase('a file of our own', add, own),
    ...phrase('a text replaced in', substituted, code),
    ...phrase('left out', remove, code),
    ...phrase('copied', Object.keys(copy ?? {}), code),
    ...phrase('required', Object.entries(require ?? {}), ([path, version]) => code(`${path}@${version}`)),
    ...phrase('replaced', Object.entries(replace ?? {}), ([path, by]) => `${code(path)} by ${code(by)}`),
  ];
}

function phrase<T>(word: string, items: readonly T[] | undefined, show: (item: T) => string): string[] {
  return items === undefined || items.length === 0 ? [] : [`${word}: ${items.map(show).join(', ')}`];
}
