import type { Io } from '../io.ts';
import { renderComment } from '../preview/comment.ts';
import { isGood, readOutcome } from '../preview/outcome.ts';

/** The options of `fleet preview-comment`. */
export interface PreviewCommentOptions {
  readonly environment: string;
  readonly preview: string;
  readonly events?: string | undefined;
  readonly limit: number;
}

/** `fleet preview-comment` */
export async function run(options: PreviewCommentOptions, io: Io): Promise<number> {
  const { environment, preview, events, limit } = options;
  const outcome = await readOutcome({ preview, events }, (file) => io.read(file));
  io.out(renderComment({ environment, outcome, limit }));
  return isGood(outcome) ? 0 : 1;
}
