import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { messageOf } from '../../packages/lib/error.ts';
import { ProblemsError } from '../../packages/lib/problem.ts';
import { parseManifest, type Manifest } from './manifest.ts';

/** Where OLM's releases are published; `{version}` stands for the version. */
export const OLM_RELEASES =
  'https://github.com/operator-framework/operator-controller/releases/download/v{version}/operator-controller.yaml';

/** Whether a location is fetched rather than read from the disk. */
export function isUrl(location: string): boolean {
  return /^https?:\/\//.test(location);
}

/** Reads a released manifest from a path or URL, in which `{version}` stands for the version. */
export async function readManifest(location: string, version: string, sha256?: string): Promise<Manifest> {
  const source = location.replaceAll('{version}', version);
  const text = await readManifestText(location, version);
  const digest = createHash('sha256').update(text).digest('hex');
  if (sha256 !== undefined && sha256 !== digest) {
    throw new ProblemsError([
      {
        object: source,
        path: 'manifestSha256',
        value: sha256,
        message: `is not the digest of the manifest, which is ${digest}`,
        remedy: 'Check where the manifest comes from before you change the digest.',
      },
    ]);
  }
  return { objects: parseManifest(text, source), source };
}

/** The text of a released manifest, as it is there. */
export async function readManifestText(location: string, version: string): Promise<string> {
  const source = location.replaceAll('{version}', version);
  return isUrl(source) ? download(source) : readLocal(source);
}

async function readLocal(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw unreadable(path, error, 'Name the path or URL of the released manifest.');
  }
}

async function download(url: string): Promise<string> {
  try {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`the server answers ${response.status} ${response.statusText}`);
    return await response.text();
  } catch (error) {
    throw unreadable(url, error, 'Name a mirror or a file where the URL cannot be reached.');
  }
}

function unreadable(source: string, error: unknown, remedy: string): ProblemsError {
  const reason = messageOf(error);
  return new ProblemsError([{ object: source, path: 'manifest', message: `cannot be read: ${reason}`, remedy }]);
}
