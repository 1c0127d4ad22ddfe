import type { Io } from '../../../cli/io.ts';
import { asFileError, decodeText } from '../../../packages/lib/text-file.ts';

/** An Io that keeps what was written and reads from the given files (`-` is standard input). */
export interface RecordingIo extends Io {
  stdout(): string;
  stderr(): string;
}

export function recordingIo(
  files: Readonly<Record<string, string>> = {},
  env: Record<string, string> = {},
): RecordingIo {
  const out: string[] = [];
  const err: string[] = [];
  return {
    out: (text) => void out.push(text),
    err: (text) => void err.push(text),
    read: async (path) => {
      const content = files[path];
      if (content !== undefined) return decodeText(Buffer.from(content), path);
      throw await asFileError(Object.assign(new Error('no such file'), { code: 'ENOENT' }), path);
    },
    list: (directory) => {
      const inside = Object.keys(files).filter((path) => path.startsWith(`${directory}/`));
      return Promise.resolve(inside.map((path) => path.slice(directory.length + 1)));
    },
    env,
    stdout: () => out.join(''),
    stderr: () => err.join(''),
  };
}
