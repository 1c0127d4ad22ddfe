import { writeFile } from 'node:fs/promises';
import type { Io } from '../io.ts';
import { renderComment } from '../preview/comment.ts';
import { isGood, readOutcome } from '../preview/outcome.ts';
import { recordOf, writeRecord } from '../preview/record.ts';

/** The options of `fleet preview-comment`. */
export interface PreviewCommentOptions {
  readonly environment: string;
  readonly preview: string;
  readonly events?: string | undefined;
  /** Where to write what would change, for `fleet up --previewed`. */
  readonly record?: string | undefined;
  readonly limit: number;
}

/** `fleet preview-comment` */
export async function run(options: PreviewCommentOptions, io: Io): Promise<number> {
  const { environment, preview, events, record, limit } = options;
  const outcome = await readOutcome({ preview, events }, (file) => io.read(file));
  io.out(renderComment({ environment, outcome, limit }));
  if (!isGood(outcome)) return 1;
  // What failed or was refused is not there to be applied.
  if (record !== undefined)
    await writeFile(record, writeRecord(recordOf(environment, await io.read(preview), preview)));
  return 0;
}
