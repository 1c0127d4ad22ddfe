import { Transform, type TransformCallback } from 'node:stream';
import zlib from 'node:zlib';

/**
 * Decompresses zstd with any number of frames: some builders write one for each file of a layer. Node's own stream
 * takes whatever follows a frame in the same chunk for garbage, and silently drops it.
 */
export class ZstdFrames extends Transform {
  #frame = this.#startFrame();

  override _read(size: number): void {
    this.#frame.resume();
    super._read(size);
  }

  override _transform(chunk: Buffer, encoding: BufferEncoding, done: TransformCallback): void {
    const frame = this.#frame;
    const before = frame.bytesWritten;
    frame.write(chunk, () => {
      const rest = chunk.subarray(frame.bytesWritten - before);
      if (rest.length === 0) {
        done();
        return;
      }
      const next = (): void => {
        this.#frame = this.#startFrame();
        this._transform(rest, encoding, done);
      };
      // Its last output may still wait for a reader.
      if (frame.readableEnded) next();
      else frame.once('end', next);
    });
  }

  override _flush(done: TransformCallback): void {
    this.#frame.once('end', () => done());
    this.#frame.end();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#frame.destroy();
    done(error);
  }

  #startFrame(): zlib.ZstdDecompress {
    const frame = zlib.createZstdDecompress();
    frame.on('data', (chunk: Buffer) => {
      if (!this.push(chunk)) frame.pause();
    });
    frame.on('error', (error) => this.destroy(error));
    return frame;
  }
}
