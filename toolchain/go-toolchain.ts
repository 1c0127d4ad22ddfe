import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { CommandError } from '../packages/lib/command.ts';
import { messageOf } from '../packages/lib/error.ts';
import { type Problem, ProblemsError, refuse } from '../packages/lib/problem.ts';
import { archivePath, configuredGoProxy, type GoProxy } from './go-proxy.ts';
import { download } from './http.ts';
import type { Program } from './programs-file.ts';
import { readZip, type ZipEntry } from './zip.ts';

/** Architectures as Node and as Go name them. */
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

/** A Go release as it is pinned for one platform. */
export interface Toolchain {
  readonly module: string;
  /** The version of the module, which names the release and the platform. */
  readonly version: string;
  readonly h1: string;
}

/** The release that is fetched on a machine; undefined where none is pinned for it. */
export function toolchainFor(
  program: Program,
  platform: string = process.platform,
  arch: string = process.arch,
): Toolchain | undefined {
  const h1 = program.h1?.[arch];
  const goArch = ARCHITECTURES[arch];
  if (platform !== 'linux' || h1 === undefined || goArch === undefined) return undefined;
  const version = `v0.0.1-go${program.version ?? ''}.linux-${goArch}`;
  return { module: program.toolchain ?? '', version, h1 };
}

/** Why Go cannot be fetched on this machine, as far as its settings tell. */
export function toolchainProblems(program: Program, toolchain: Toolchain | undefined, proxy: GoProxy): Problem[] {
  const object = `Go ${program.version ?? ''}`;
  const install = `Install Go ${program.accept ?? ''} (https://go.dev/dl), and run the same command again.`;
  if (toolchain === undefined) {
    const value = `${process.platform} ${process.arch}`;
    return [{ object, path: 'platform', value, message: 'has no pinned Go release', remedy: install }];
  }
  if (proxy.proxies.length > 0) return [];
  const message = 'names no proxy that Go could be fetched from';
  const remedy = `Set it to the address of a Go module proxy. Or: ${install}`;
  return [{ object, path: 'GOPROXY', value: proxy.setting, message, remedy }];
}

/**
 * Fetches a Go release from the module proxy, which serves releases as a module, and unpacks it. The files are checked
 * against the sum in Go's own checksum database, so it does not matter who serves them.
 */
export async function fetchGo(program: Program, target: string, proxy = configuredGoProxy()): Promise<void> {
  const toolchain = toolchainFor(program);
  refuse(toolchainProblems(program, toolchain, proxy));
  if (toolchain === undefined) return;
  const file = `${target}.zip`;
  try {
    await downloadFromFirst(proxy, toolchain, file);
    const entries = readZip(readFileSync(file));
    const sum = h1(entries);
    if (sum !== toolchain.h1) {
      const message = 'differs from what programs.yaml pins';
      const remedy = 'Do not use it. Check the module proxy (GOPROXY).';
      throw new ProblemsError([{ object: toolchain.version, path: 'h1', value: sum, message, remedy }]);
    }
    unpack(entries, `${toolchain.module}@${toolchain.version}/`, target);
  } finally {
    rmSync(file, { force: true });
  }
}

async function downloadFromFirst(proxy: GoProxy, { module, version }: Toolchain, file: string): Promise<void> {
  const failures: string[] = [];
  for (const { url } of proxy.proxies) {
    try {
      await download(`${url}/${archivePath(module, version)}`, file);
      return;
    } catch (error) {
      failures.push(error instanceof CommandError ? error.output.trim() : messageOf(error));
    }
  }
  const remedy = `Check the network, or set GOPROXY. Errors:\n${failures.join('\n')}`;
  const message = 'cannot be fetched from the Go module proxy';
  throw new ProblemsError([{ object: `${module}@${version}`, path: 'GOPROXY', value: proxy.setting, message, remedy }]);
}

/** Go's checksum of the files of a module (https://pkg.go.dev/golang.org/x/mod/sumdb/dirhash). */
export function h1(entries: readonly ZipEntry[]): string {
  const sha256 = (data: Buffer): string => createHash('sha256').update(data).digest('hex');
  const lines = [...entries]
    .sort((one, other) => Buffer.compare(Buffer.from(one.name), Buffer.from(other.name)))
    .map((entry) => `${sha256(entry.read())}  ${entry.name}\n`);
  return `h1:${createHash('sha256').update(lines.join('')).digest('base64')}`;
}

/** An archive of a module has no file modes and no inner go.mod files; the go command restores both in the same way. */
function unpack(entries: readonly ZipEntry[], prefix: string, target: string): void {
  for (const entry of entries) {
    const path = join(target, entry.name.slice(prefix.length));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, entry.read());
  }
  for (const folder of ['src', 'src/cmd']) {
    const renamed = join(target, folder, '_go.mod');
    if (existsSync(renamed)) copyFileSync(renamed, join(target, folder, 'go.mod'));
  }
  for (const folder of ['bin', 'pkg/tool']) makeExecutable(join(target, folder));
}

function makeExecutable(directory: string): void {
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) chmodSync(join(entry.parentPath, entry.name), 0o755);
  }
}
