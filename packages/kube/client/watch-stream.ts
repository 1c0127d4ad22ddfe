import type { IncomingMessage } from 'node:http';
import { isLarge, parseEvent, type IsKnown } from './bounded-json.ts';
import type { KubernetesObject } from '../object.ts';
import { turns } from '../../lib/turns.ts';

export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: KubernetesObject;
}

/** The events of a watch, one JSON document a line. Ends when the server ends the watch. */
export async function* readWatch(response: IncomingMessage, isKnown?: IsKnown): AsyncGenerator<WatchEvent> {
  let pending: Buffer[] = [];
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
        pending.push(chunk.subarray(start, end));
        const line = Buffer.concat(pending);
        yield isLarge(line) ? await parseInTurns(line, isKnown) : (parseEvent(line) as WatchEvent);
        pending = [];
        start = end + 1;
      }
      if (start < chunk.length) pending.push(chunk.subarray(start));
    }
  } finally {
    response.destroy();
  }
}

const NEWLINE = 0x0a;

/** Reading takes one turn, and handling the result another. */
async function parseInTurns(line: Buffer, isKnown?: IsKnown): Promise<WatchEvent> {
  const turn = turns.begin();
  await turn.yieldIfDue();
  const event = parseEvent(line, isKnown) as WatchEvent;
  await turn.yieldIfDue();
  return event;
}
