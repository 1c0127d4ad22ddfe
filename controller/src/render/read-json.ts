import { extentOf } from '../../../packages/kube/client/bounded-json.ts';
import { messageOf } from '../../../packages/lib/error.ts';
import { shortened } from '../../../packages/lib/message.ts';
import { ProblemsError } from '../../../packages/lib/problem.ts';
import { TOO_LONG } from '../../../packages/lib/read-lines.ts';

/** How large a line may be. The API server takes no object that is longer, and a spec has much closer bounds of its own. */
export const LINE_BOUNDS = { bytes: 3 * 1024 * 1024, values: 100_000, depth: 1000 } as const;

/**
 * The value of a line. Values are counted before anything is parsed, since three megabytes of brackets become hundreds of megabytes.
 * Throws a problem for a line that is too large, or is not JSON.
 */
export function readJson(line: Buffer | typeof TOO_LONG): unknown {
  if (line === TOO_LONG) tooLarge(`is longer than ${String(LINE_BOUNDS.bytes)} bytes`);
  const { values, depth } = countedIn(line);
  if (values > LINE_BOUNDS.values) tooLarge(`has more than ${String(LINE_BOUNDS.values)} values`);
  if (depth > LINE_BOUNDS.depth) tooLarge(`is nested more than ${String(LINE_BOUNDS.depth)} levels deep`);
  // It was counted up to where it stops being JSON, at the latest.
  try {
    return JSON.parse(line.toString('utf8'));
  } catch (error) {
    return notJson(messageOf(error));
  }
}

function countedIn(line: Buffer): ReturnType<typeof extentOf> {
  try {
    return extentOf(line, 0);
  } catch (error) {
    return notJson(messageOf(error));
  }
}

function tooLarge(message: string): never {
  throw new ProblemsError([{ path: '', message, remedy: 'Leave out metadata.managedFields, or divide the stack.' }]);
}

function notJson(why: string): never {
  throw new ProblemsError([{ path: '', message: `is not valid JSON: ${shortened(why)}` }]);
}
