import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { SemVer } from 'semver';
import { mermaid } from '../../components/catalog/mermaid.ts';
import { addVersion, renderReleased } from '../../components/catalog/release.ts';
import type { PulledBundle } from '../../components/catalog/pull-bundles.ts';
import type { Stream } from '../../components/catalog/template.ts';
import { run } from '../../packages/lib/command.ts';
import { DEPRECATIONS, LOCK, TEMPLATE } from '../commands/catalog/committed.ts';
import { readDeprecations, readState, writeRelease } from '../commands/catalog/files.ts';
import { graphPage } from '../commands/catalog/graph.ts';
import type { Io } from '../io.ts';
import { surfaceFile, writeSurface, type Surface } from './surface.ts';

/** The page with the notes of a release. */
export function notesFile(version: SemVer): string {
  return `docs/releases/${version.version}.md`;
}

/** Writes what was released into a work tree: template, lock, ways out, surface, upgrade graph, and what is generated from them. */
export async function writeRecords(
  folder: string,
  release: PulledBundle & { readonly image: string; readonly channel: Stream; readonly surface: Surface },
  io: Io,
): Promise<void> {
  const { image, digest, bundle, channel, surface } = release;
  const files = { file: join(folder, TEMPLATE), lock: join(folder, LOCK), deprecations: join(folder, DEPRECATIONS) };
  const state = await readState(io, files.file, files.lock);
  await writeRelease(addVersion(state, { image, digest, bundle, streams: [channel] }), files, io);
  await write(folder, surfaceFile(surface.version), writeSurface(surface));
  const { deprecations } = await readDeprecations(io, files.deprecations);
  const page = graphPage(await readState(io, files.file, files.lock), deprecations);
  await write(folder, 'docs/reference/upgrade-graph.md', page);
  await generate(folder);
}

/** Writes the notes, and what is generated from them. */
export async function writeNotes(folder: string, file: string, text: string): Promise<void> {
  await write(folder, file, text);
  await generate(folder);
}

/** SHA-256 of files of a checkout. */
export async function checksums(folder: string, files: readonly string[]): Promise<Record<string, string>> {
  const entries = files.map(async (file) => {
    const content = await readFile(join(folder, file));
    return [`[${file}](../../${file})`, `sha256:${createHash('sha256').update(content).digest('hex')}`] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** The upgrades between all releases of a checkout. */
export async function upgradeGraph(folder: string, io: Io): Promise<string> {
  const state = await readState(io, join(folder, TEMPLATE), join(folder, LOCK));
  const { deprecations } = await readDeprecations(io, join(folder, DEPRECATIONS));
  return mermaid(renderReleased(state, deprecations));
}

async function write(folder: string, path: string, text: string): Promise<void> {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

/** Writes what is generated, README's versions for instance, in a work tree inside of the checkout. */
export async function generate(folder: string): Promise<void> {
  await run(process.execPath, ['maintenance/generated.ts'], { cwd: folder });
}
