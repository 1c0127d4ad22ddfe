import { chmodSync, copyFileSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { run } from '../tools/command.ts';

/** Everything runs as this user, as in distroless images. */
const NONROOT = '65532:65532';

/**
 * Node with the shared libraries that it loads, and nothing else: no shell, no package manager. Laid out like the distroless
 * Node image, so that a Dockerfile builds on either.
 */
export async function nodeBaseContext(directory: string, node: string): Promise<void> {
  for (const library of parseLibraries(await run('ldd', [node]))) place(directory, library, realpathSync(library));
  place(directory, '/nodejs/bin/node', node, 0o755);
  write(
    directory,
    '/etc/passwd',
    'root:x:0:0:root:/root:/sbin/nologin\nnonroot:x:65532:65532:nonroot:/home/nonroot:/sbin/nologin\n',
  );
  write(directory, '/etc/group', 'root:x:0:\nnonroot:x:65532:\n');
  dockerfile(directory, [
    'COPY root/ /',
    'ENV PATH=/nodejs/bin',
    `USER ${NONROOT}`,
    'WORKDIR /home/nonroot',
    'ENTRYPOINT ["/nodejs/bin/node"]',
  ]);
}

/** One static program, under the path that the released manifests call it by. */
export function programContext(directory: string, name: string, program: string): void {
  place(directory, `/${name}`, program, 0o755);
  dockerfile(directory, ['COPY root/ /', `USER ${NONROOT}`, `ENTRYPOINT ["/${name}"]`]);
}

/** Paths of the libraries in what ldd prints; the loader itself is among them, the kernel's own object is not. */
export function parseLibraries(text: string): string[] {
  return [...text.matchAll(/(?:=> )?(\/\S+) \(0x/g)].map((match) => match[1] ?? '');
}

function place(directory: string, target: string, source: string, mode = 0o644): void {
  const path = join(directory, 'root', target);
  mkdirSync(dirname(path), { recursive: true });
  copyFileSync(source, path);
  // Libraries are mapped executable, programs are run: only the owner's right to write differs between machines.
  chmodSync(path, target.includes('.so') ? 0o755 : mode);
}

function write(directory: string, target: string, content: string): void {
  const path = join(directory, 'root', target);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content, { mode: 0o644 });
}

function dockerfile(directory: string, lines: readonly string[]): void {
  writeFileSync(join(directory, 'Dockerfile'), ['FROM scratch', ...lines, ''].join('\n'));
}
