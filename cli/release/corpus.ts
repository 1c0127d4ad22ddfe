import { validate } from '../../packages/api/validate.ts';
import { refuse } from '../../packages/lib/problem.ts';
import { readDocuments } from '../documents.ts';
import type { Io } from '../io.ts';
import { PLATFORMS, type Question } from './ask.ts';

/** The folder of the stacks that every version is asked about, one folder for each platform. */
const CORPUS = 'catalog/corpus';

/** The stacks by their files, without a version, and without any status: nobody has served them yet. */
export async function readCorpus(io: Io): Promise<Question[]> {
  const files = await Promise.all(
    Object.keys(PLATFORMS).map(async (platform) =>
      (await io.list(`${CORPUS}/${platform}`)).toSorted().map((file) => `${platform}/${file}`),
    ),
  );
  const documents = await readDocuments(
    files.flat().map((file) => `${CORPUS}/${file}`),
    io,
  );
  return documents.flatMap(({ source, value }): Question[] => {
    const result = validate(value);
    if (result.valid) return [{ name: source.slice(CORPUS.length + 1).replace(/\.yaml$/, ''), stack: result.stack }];
    refuse(result.problems);
    return [];
  });
}
