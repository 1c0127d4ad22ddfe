import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { InferenceStack } from '../../../../packages/api/types.ts';
import { LINE_LIMIT } from '../../../../packages/lib/message.ts';
import { ApiError } from '../../../../packages/kube/client/api-error.ts';
import { eventually } from '../../../support/machine/eventually.ts';
import { conditionOf } from '../../../support/operator/stack-api.ts';
import { ModelTeam, type Mistake } from '../../../support/people/model-team.ts';
import { MISTAKES } from '../../../support/people/mistakes.ts';

/** One row of the page: where a message shows, and the message, in which … stands for anything. */
interface Row {
  readonly where: string;
  readonly message: RegExp;
}

function readRows(): ReadonlyMap<string, Row> {
  const page = readFileSync(new URL('../../../../docs/how-to/fix-a-stack.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| (.+?) +\| `(.+?)` +\| `(.+?)` +\|/gm)];
  return new Map(
    rows.map(([, title = '', where = '', seen = '']) => {
      const pattern = seen.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
      return [title, { where, message: new RegExp(`^${pattern.join('.*')}$`) }];
    }),
  );
}

describe('what a model team sees of its mistakes', function () {
  this.timeout(120_000);
  const rows = readRows();
  let team: ModelTeam;

  before(async () => {
    team = await ModelTeam.start();
  });
  after(() => team.stop());

  it('is what docs/how-to/fix-a-stack.md lists, row by row', () => {
    assert.deepEqual(
      [...rows.keys()],
      MISTAKES.map(({ title }) => title),
    );
  });

  for (const mistake of MISTAKES) {
    it(`when ${mistake.title}`, async () => {
      const { where, message } = rows.get(mistake.title) ?? { where: '', message: /^$/ };
      if (where === 'kubectl apply') await assert.rejects(team.make(mistake), refusedWith(message));
      else await shows(mistake, where, message);
    });
  }

  async function shows(mistake: Mistake, where: string, message: RegExp): Promise<void> {
    const namespace = await team.make(mistake);
    await eventually(async () => {
      const stack = await team.stack(namespace);
      assert.match(conditionOf(stack, where).message, message);
      for (const line of linesOf(stack)) assert.ok(line.length <= LINE_LIMIT, line);
    });
  }
});

function refusedWith(message: RegExp): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof ApiError);
    assert.match(error.answer.replace(/\s+/g, ' '), message);
    return true;
  };
}

function linesOf({ status }: InferenceStack): string[] {
  const workloads = [status?.gateway ?? {}, ...Object.values(status?.applications ?? {})];
  return [
    ...(status?.conditions ?? []).map(({ message }) => message),
    ...workloads.map(({ message = '' }) => message),
    ...Object.values(status?.applications ?? {}).map(({ lastProblem = '' }) => lastProblem),
  ];
}
