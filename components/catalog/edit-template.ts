import { ProblemsError } from '../../packages/lib/problem.ts';
import { parseTemplate } from './template.ts';
import type { Stream } from './template.ts';

/**
 * Adds an image to a stream of a template's text and leaves every other line as it is: the comments in it are the
 * team's notes. The result is read back and compared, so an unusual layout is refused rather than damaged.
 */
export function insertImage(text: string, stream: Stream, image: string, file: string): string {
  const before = parseTemplate(text, file);
  if (before.images[stream].includes(image)) return text;
  const edited = insertLine(text.replace(/\n*$/, '\n').split('\n'), stream, image).join('\n');
  const after = readBack(edited, file);
  const expected = [...before.images[stream], image];
  if (after === undefined || after.images[stream].join('\n') !== expected.join('\n')) {
    const remedy = `Add "- Image: ${image}" there by hand, and run the command again.`;
    throw new ProblemsError([
      { object: file, path: `${stream}.Bundles`, message: 'is laid out in an unusual way', remedy },
    ]);
  }
  return edited;
}

function insertLine(lines: readonly string[], stream: Stream, image: string): string[] {
  const start = lines.findIndex((line) => new RegExp(`^${stream}:`, 'i').test(line));
  if (start === -1) return [...lines.slice(0, -1), `${stream}:`, '  Bundles:', `    - Image: ${image}`, ''];
  const length = lines.slice(start + 1).findIndex((line) => /^[^\s#]/.test(line));
  const end = length === -1 ? lines.length : start + 1 + length;
  const block = lines.slice(start, end);
  const items = block
    .map((line, index) => ({ index, dash: /^(\s*)- /.exec(line)?.[1] }))
    .filter((item) => item.dash !== undefined);
  const last = items.at(-1);
  if (last !== undefined) return lines.toSpliced(start + last.index + 1, 0, `${last.dash ?? ''}- Image: ${image}`);
  const list = block.findIndex((line) => /^\s+bundles:/i.test(line));
  const key = list === -1 ? '  Bundles:' : (block[list] ?? '').replace(/:.*/, ':');
  const added = [key, `${key.replace(/\S.*/, '')}  - Image: ${image}`];
  // A stream without a list may be written as `Fast: {}` or just `Fast:`.
  return list === -1
    ? lines.toSpliced(start, 1, (lines[start] ?? '').replace(/:.*/, ':'), ...added)
    : lines.toSpliced(start + list, 1, ...added);
}

function readBack(text: string, file: string): ReturnType<typeof parseTemplate> | undefined {
  try {
    return parseTemplate(text, file);
  } catch (error) {
    if (error instanceof ProblemsError) return undefined;
    throw error;
  }
}
