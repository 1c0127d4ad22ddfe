import { createHash } from 'node:crypto';
import { pipeline, Transform, type Readable } from 'node:stream';

/** Bytes as they arrive. It fails at its end, or as soon as there are too many, if they are not those that were asked for, all of them. */
export function verified(
  body: Readable,
  { digest, size }: { readonly digest: string; readonly size: number },
  failure: Error,
): Readable {
  const hash = createHash('sha256');
  let length = 0;
  const verify = new Transform({
    transform(chunk: Buffer, _, done) {
      hash.update(chunk);
      length += chunk.length;
      done(length > size ? failure : null, chunk);
    },
    flush(done) {
      done(length === size && `sha256:${hash.digest('hex')}` === digest ? null : failure);
    },
  });
  // Errors reach the reader of the result; the callback only keeps them from being thrown.
  return pipeline(body, verify, () => undefined);
}
