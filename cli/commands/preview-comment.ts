import { writeTextFiles } from '../../packages/lib/text-file.ts';
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
  // Each is read once: what comes from standard input is gone then.
  const texts = new Map<string, Promise<string>>();
  const read = (file: string): Promise<string> => {
    const text = texts.get(file) ?? io.read(file);
    texts.set(file, text);
    return text;
  };
  const outcome = await readOutcome({ preview, events }, read);
  io.out(renderComment({ environment, outcome, limit }));
  if (!isGood(outcome)) return 1;
  // What failed or was refused is not there to be applied.
  if (record !== undefined) {
    const text = writeRecord(recordOf(environment, await read(preview), preview));
    await writeTextFiles([{ path: record, text }]);
  }
  return 0;
}
