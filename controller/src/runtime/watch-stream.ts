import type { IncomingMessage } from 'node:http';
import { parseEvent } from './bounded-json.ts';
import type { KubernetesObject } from './object.ts';

export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: KubernetesObject;
}

/** The events of a watch, one JSON document a line. Ends when the server ends the watch. */
export async function* readWatch(response: IncomingMessage): AsyncGenerator<WatchEvent> {
  let pending: Buffer[] = [];
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
        pending.push(chunk.subarray(start, end));
        yield parseEvent(Buffer.concat(pending)) as WatchEvent;
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
