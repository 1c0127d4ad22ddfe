import assert from 'node:assert/strict';
import type { LiveState } from '../../../../infra/cluster/live-state.ts';
import type { Settings } from '../../../../infra/config/schema.ts';
import { guardsArgs } from '../../../../infra/guards/guards-args.ts';

const LIVE = {
  operators: [
    { major: 1, managed: true },
    { major: 2, managed: true },
    { major: 7, managed: false },
  ],
} as unknown as LiveState;

function settings(guards: Settings['guards']): Settings {
  return { guards, operators: [{ major: 1 }, { major: 3 }] } as unknown as Settings;
}

describe('what a cluster is guarded by', () => {
  it('lets stacks ask for the operators of the fleet and for foreign ones, and not for one that this run removes', () => {
    assert.deepEqual(guardsArgs(settings('deny'), LIVE, undefined), { majors: [1, 3, 7], action: 'deny' });
  });

  it('knows who may write extensions where that is said', () => {
    const writers = { users: ['anna'], groups: [], appliers: [] };
    assert.deepEqual(guardsArgs(settings('warn'), LIVE, writers)?.writers, writers);
  });

  it('is nothing where the settings want no guards', () => {
    assert.equal(guardsArgs(settings('off'), LIVE, undefined), undefined);
  });
});
