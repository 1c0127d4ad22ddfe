import assert from 'node:assert/strict';
import { Readable, Writable } from 'node:stream';
import { answerLines, EXIT } from '../../../../controller/src/render/answer-lines.ts';
import { objectAt, type OpenObject } from '../../../../packages/lib/json.ts';
import type { InferenceStack } from '../../../../packages/api/types.ts';
import { stackWith } from '../../../support/people/stacks.ts';

const HEADER = '{"contract":1}';
const named = (name: string): InferenceStack => stackWith({ applications: { llm: {} } }, name);

async function answersTo(lines: readonly (string | object)[]): Promise<{ exit: number; answers: OpenObject[] }> {
  const text = lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');
  const written: string[] = [];
  const output = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      written.push(chunk.toString());
      done();
    },
  });
  const exit = await answerLines(Readable.from([Buffer.from(text)]), output);
  const answers = written.join('').split('\n').slice(0, -1);
  return { exit, answers: answers.map((answer) => JSON.parse(answer) as OpenObject) };
}

const problemOf = (answer: OpenObject | undefined): string =>
  ((answer?.['problems'] as { message: string }[] | undefined) ?? []).map(({ message }) => message).join('\n');

const countOf = (list: unknown): number => (list as readonly unknown[]).length;

describe('answers about stacks', () => {
  it('are one line for each, in their order, whatever comes in between', async () => {
    const { exit, answers } = await answersTo([HEADER, named('a'), 'garbage', '', '[]', named('b')]);
    assert.equal(exit, EXIT.answered);
    const [header, ...rest] = answers;
    assert.deepEqual([header?.['contract'], header?.['contracts'], header?.['problems']], [1, [1], []]);
    assert.deepEqual(
      rest.map(({ line, stack }) => [line, stack]),
      [
        [2, 'InferenceStack/team-a/a'],
        [3, null],
        [4, null],
        [5, null],
        [6, 'InferenceStack/team-a/b'],
      ],
    );
    assert.deepEqual(
      rest.map(({ objects, problems }) => [countOf(objects) > 0, countOf(problems)]),
      [
        [true, 0],
        [false, 1],
        [false, 1],
        [false, 1],
        [true, 0],
      ],
    );
  });

  it('end with the header if it is refused, and nothing else is read', async () => {
    for (const [line, message] of [
      ['{"contract":2}', /not spoken by this version/],
      ['garbage', /not valid JSON/],
    ] as const) {
      const { exit, answers } = await answersTo([line, named('a')]);
      assert.deepEqual([exit, answers.length], [EXIT.refused, 1]);
      assert.match(problemOf(answers[0]), message);
    }
    const { exit, answers } = await answersTo([]);
    assert.equal(exit, EXIT.refused);
    assert.equal(problemOf(answers[0]), 'there is no header');
  });

  it('are few and short problems, however many and long they are', async () => {
    const names = Array.from({ length: 500 }, (_, index) => `app${String(index)}`);
    const wrong = Object.fromEntries(names.map((name, index) => [name, 'x'.repeat(index % 2 === 0 ? 300 : 3)]));
    const { answers } = await answersTo([HEADER, { ...named('a'), spec: { applications: wrong } }]);
    const problems = answers[1]?.['problems'] as OpenObject[];
    assert.equal(problems.length, 51);
    assert.match(String(problems.at(-1)?.['message']), /^and 4\d\d more$/);
    const values = new Set(problems.map(({ value }) => value));
    assert.deepEqual(values, new Set([undefined, 'xxx']));
  });

  it('survive a status that no API server would store', async () => {
    const broken = { ...named('a'), status: { applications: { llm: null } } };
    const { exit, answers } = await answersTo([HEADER, broken, named('b')]);
    assert.equal(exit, EXIT.answered);
    assert.match(problemOf(answers[1]), /^cannot be rendered: /);
    assert.ok(countOf(answers[2]?.['objects']) > 0);
  });

  it('say which version they are for, as the asker has named it, and of which API', async () => {
    const { answers } = await answersTo(['{"contract":1,"operatorVersion":"3.2.1"}']);
    assert.equal(answers[0]?.['operatorVersion'], '3.2.1');
    assert.deepEqual(objectAt(answers[0], 'api')['versions'], ['v1alpha1', 'v1beta1']);
  });

  it('wait for whoever reads them, and read no stacks meanwhile', async () => {
    let read = 0;
    async function* endless(): AsyncGenerator<Buffer> {
      yield Buffer.from(`${HEADER}\n`);
      for (;;) {
        read += 1;
        yield await Promise.resolve(Buffer.from(`${JSON.stringify(named('a'))}\n`));
      }
    }
    const taken: (() => void)[] = [];
    const output = new Writable({ highWaterMark: 1, write: (_chunk, _encoding, done) => void taken.push(done) });
    const answering = answerLines(endless(), output);
    // Nobody takes the first answer, so the rest can only come to a halt: after many turns it is still the same.
    const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
    for (let count = 0; count < 200; count += 1) await turn();
    assert.ok(read > 0 && read < 10, String(read));
    output.destroy(new Error('the reader has gone'));
    await assert.rejects(answering, /the reader has gone/);
  });
});
