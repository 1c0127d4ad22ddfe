import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { messageOf } from '../../packages/lib/error.ts';
import { ProblemsError } from '../../packages/lib/problem.ts';

/** A manifest's text and where it came from. */
export interface ManifestText {
  readonly text: string;
  readonly source: string;
}

/** Reads a released manifest from a path or URL, in which `{version}` stands for the version. */
export async function readManifest(location: string, version: string, sha256?: string): Promise<ManifestText> {
  const source = location.replaceAll('{version}', version);
  const text = await (/^https?:\/\//.test(source) ? download(source) : readLocal(source));
  const digest = createHash('sha256').update(text).digest('hex');
  if (sha256 !== undefined && sha256 !== digest) {
    throw new ProblemsError([
      {
        object: source,
        path: 'olm.manifestSha256',
        value: sha256,
        message: `is not the digest of the manifest, which is ${digest}`,
        remedy: 'Check where the manifest comes from before you change the setting.',
      },
    ]);
  }
  return { text, source };
}

async function readLocal(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw unreadable(path, error, '`make tools` places the manifest of the pinned version under .tools/share.');
  }
}

async function download(url: string): Promise<string> {
  try {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`the server answers ${response.status} ${response.statusText}`);
    return await response.text();
  } catch (error) {
    throw unreadable(url, error, 'Set `olm.manifest` to a mirror or to a file where the URL cannot be reached.');
  }
}

function unreadable(source: string, error: unknown, remedy: string): ProblemsError {
  const reason = messageOf(error);
  return new ProblemsError([{ object: source, path: 'olm.manifest', message: `cannot be read: ${reason}`, remedy }]);
}
