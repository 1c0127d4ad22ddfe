import { FileError, readTextFile } from '../../lib/text-file.ts';
import { ProblemsError } from '../../lib/problem.ts';
import type { Where } from './kubeconfig-entries.ts';

/** A certificate or a key of an entry: the data that is in it, or the file that it names. */
export async function pemOf<F extends string>(
  entry: Partial<Record<F | `${F}-data`, unknown>>,
  field: F,
  { object, path }: Where,
): Promise<string | undefined> {
  const data = entry[`${field}-data`];
  if (typeof data === 'string') {
    const pem = Buffer.from(data, 'base64').toString('utf8');
    if (data === '' || pem.includes('-----BEGIN ')) return pem;
    const remedy = 'Take the entry over once more from where it comes from, in one piece.';
    throw new ProblemsError([{ object, path: `${path}.${field}-data`, message: 'is not PEM in base64', remedy }]);
  }
  const file = entry[field];
  if (typeof file !== 'string') return undefined;
  return readTextFile(file, file).catch((error: unknown) => {
    if (!(error instanceof FileError)) throw error;
    throw new FileError({ ...error.problem, object, path: `${path}.${field}`, value: file }, error.code);
  });
}
