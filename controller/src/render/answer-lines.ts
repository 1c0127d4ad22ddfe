import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { messageOf } from '../../../packages/lib/error.ts';
import { ProblemsError, type Problem } from '../../../packages/lib/problem.ts';
import { answerStack, keyOf, type StackAnswer } from './answer-stack.ts';
import { boundedProblems } from './bounded-problems.ts';
import { headerAnswer, readHeader, type Header } from './header.ts';
import { LINE_BOUNDS, readJson } from './read-json.ts';
import { readLines, type TOO_LONG } from '../../../packages/lib/read-lines.ts';

/** How the mode ends; a fault of its input, its output or itself ends it with 1. */
export const EXIT = { answered: 0, refused: 2 } as const;
export type Exit = (typeof EXIT)[keyof typeof EXIT];

type Line = Buffer | typeof TOO_LONG;

/**
 * Answers a header and a line for each stack that follows, each with one line and in their order. It reads no further than whoever
 * reads the answers, so it holds one stack at a time, however many there are.
 */
export async function answerLines(input: AsyncIterable<Buffer>, output: Writable): Promise<Exit> {
  let header: Header | undefined;
  let exit: Exit = EXIT.refused;
  async function* answers(): AsyncGenerator<string> {
    let number = 0;
    for await (const line of readLines(input, LINE_BOUNDS.bytes)) {
      number += 1;
      if (header !== undefined) {
        yield textOf({ line: number, ...answer(line, header) });
        continue;
      }
      const { problems, header: read } = attemptHeader(line);
      yield textOf(headerAnswer(read?.operatorVersion, problems));
      if (read === undefined) return;
      header = read;
      exit = EXIT.answered;
    }
    if (number === 0) yield textOf(headerAnswer(undefined, [NO_HEADER]));
  }
  // One answer ahead is enough, since each may have megabytes.
  await pipeline(Readable.from(answers(), { highWaterMark: 1 }), output, { end: false });
  return exit;
}

const NO_HEADER: Problem = { path: '', message: 'there is no header', remedy: 'Begin with {"contract":1}.' };

function attemptHeader(line: Line): { readonly header?: Header; readonly problems: readonly Problem[] } {
  try {
    return { header: readHeader(readJson(line)), problems: [] };
  } catch (error) {
    return { problems: problemsOf(error) };
  }
}

interface Answer extends StackAnswer {
  readonly stack: string | null;
  /** Why nothing would be applied. */
  readonly problems: readonly Problem[];
}

/** Whatever a line is, it gets an answer, and the next one its turn. */
function answer(line: Line, header: Header): Answer {
  let stack: string | null = null;
  try {
    const value = readJson(line);
    stack = keyOf(value) ?? null;
    const { objects, notices } = answerStack(value, header);
    return { stack, objects, notices: boundedProblems(notices), problems: [] };
  } catch (error) {
    return { stack, objects: [], notices: [], problems: problemsOf(error) };
  }
}

/** Only what the API server would not have stored breaks the rendering itself. */
function problemsOf(error: unknown): readonly Problem[] {
  const unexpected = { path: '', message: `cannot be rendered: ${messageOf(error)}` };
  return boundedProblems(error instanceof ProblemsError ? error.problems : [unexpected]);
}

function textOf(answer: object): string {
  return `${JSON.stringify(answer)}\n`;
}
