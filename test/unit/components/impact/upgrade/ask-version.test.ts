import assert from 'node:assert/strict';
import { askVersion, type Answered } from '../../../../../components/impact/upgrade/ask-version.ts';
import { LIMITS } from '../../../../../components/impact/contained/containment.ts';
import type { KubernetesObject } from '../../../../../packages/kube/object.ts';
import { ProblemsError } from '../../../../../packages/lib/problem.ts';
import { stackWith } from '../../../../support/people/stacks.ts';

const HEADER = `{"contract":1,"api":{"group":"models.titanml.co"},"problems":[]}`;
const STACK = 'InferenceStack/team-a/chat';
const CAPABILITIES = { keda: false, serviceMonitor: false, assignsUserIds: false };

/** A program that prints these lines whatever it is asked. */
function saying(lines: readonly string[]): string {
  return `process.stdin.resume(); process.stdin.on('end', () => process.stdout.write(${JSON.stringify(lines.map((line) => `${line}\n`).join(''))}));`;
}

const answer = (fields: object): string =>
  JSON.stringify({ line: 2, stack: STACK, objects: [], problems: [], ...fields });
const made = (fields: object, metadata: object = {}): string =>
  answer({
    objects: [
      { apiVersion: 'v1', kind: 'Service', ...fields, metadata: { name: 'a', namespace: 'team-a', ...metadata } },
    ],
  });

async function ask(lines: readonly string[]): Promise<Answered<string>[]> {
  const version = { name: 'operator 9.9.9', version: '9.9.9', source: saying(lines) };
  // eslint-disable-next-line @typescript-eslint/require-await -- an API server answers otherwise
  async function* stacks(): AsyncGenerator<KubernetesObject> {
    yield stackWith({}) as unknown as KubernetesObject;
  }
  const answers: Answered<string>[] = [];
  for await (const each of askVersion(version, CAPABILITIES, stacks(), ({ metadata }) => metadata.name, {
    ...LIMITS,
    seconds: 20,
  })) {
    answers.push(each);
  }
  return answers;
}

describe('the answer of a version that nobody has to trust', function () {
  this.timeout(30_000);

  it('is read with what is kept of each stack', async () => {
    const problems = [{ path: 'spec', message: 'is\u001b[2J bad', remedy: 'Look\u0007.', value: 'secret' }];
    assert.deepEqual(await ask([HEADER, answer({ problems })]), [
      { stack: 'chat', answer: { objects: [], problems: [{ path: 'spec', message: 'is [2J bad', remedy: 'Look .' }] } },
    ]);
  });

  for (const [what, lines, reason] of [
    ['is nothing', [], 'does not answer for'],
    ['is not JSON', ['hello'], 'prints something that is not an answer'],
    ['is a list', ['[]'], 'prints something that is not an answer'],
    ['has no contract', ['{}'], 'does not answer as the render contract says'],
    [
      'speaks another contract',
      ['{"contract":1,"problems":[{"path":"contract","message":"is not spoken"}]}'],
      'refuses the question: contract is not spoken',
    ],
    ['is about another API', ['{"contract":1,"api":{"group":"example.com"}}'], 'serves the API example.com'],
    ['ends too early', [HEADER], `does not answer for ${STACK}`],
    ['is about another stack', [HEADER, answer({ stack: 'InferenceStack/team-b/x' })], 'answers for another stack'],
    ['says too much', [HEADER, answer({}), answer({})], 'answers more than it was asked'],
    ['makes what no operator may', [HEADER, made({ kind: 'Secret' })], 'makes v1/Secret of'],
    ['makes something elsewhere', [HEADER, made({}, { namespace: 'kube-system' })], 'in another namespace'],
    ['makes something without a name', [HEADER, made({}, { name: '../x' })], 'that has no name'],
    ['makes no object', [HEADER, answer({ objects: ['x'] })], 'makes / of'],
    [
      'makes thousands of objects',
      [HEADER, answer({ objects: Array.from({ length: 3000 }, () => 1) })],
      'makes 3000 objects',
    ],
    ['is deep', [HEADER, '['.repeat(5000)], 'prints a line that is too large'],
    ['is wide', [HEADER, `[${'1,'.repeat(300_000)}1]`], 'prints a line that is too large'],
  ] as const) {
    it(`is refused as a whole when it ${what}`, async () => {
      await assert.rejects(ask(lines), (error: unknown) => {
        assert.ok(error instanceof ProblemsError);
        assert.ok(error.message.startsWith(`operator 9.9.9: `) && error.message.includes(reason), error.message);
        return true;
      });
    });
  }
});
