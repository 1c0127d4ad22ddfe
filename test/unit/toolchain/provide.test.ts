import assert from 'node:assert/strict';
import { ProblemsError, type Problem } from '../../../packages/lib/problem.ts';
import type { Planned } from '../../../toolchain/plan.ts';
import type { Undertaking } from '../../../toolchain/preflight/preflight.ts';
import { provide, type Steps, type Wanted } from '../../../toolchain/provide.ts';

const PROBLEM: Problem = { object: 'wheel', path: 'address', message: 'cannot be fetched' };

const planned = (name: string): Planned => ({
  name,
  program: { seconds: 30 },
  version: '1',
  product: `/${name}`,
  directory: '/',
});

const undertaking = (names: readonly string[]): Undertaking => ({
  toMake: names.map(planned),
  sharing: [],
  lacking: [],
});

const namesOf = ({ toMake }: Undertaking): string => toMake.map(({ name }) => name).join(' ');

describe('providing programs', () => {
  let done: string[];
  beforeEach(() => (done = []));

  /** Steps that note what they are asked for; all is missing and everything works, but for what is given. */
  function steps(parts: Partial<Steps> = {}): Steps {
    return {
      missing: (names) => Promise.resolve(undertaking(names)),
      complete: (wanted) => Promise.resolve(wanted),
      preflight: (wanted) => {
        done.push(`check ${namesOf(wanted)}`);
        return Promise.resolve([]);
      },
      make: (wanted) => {
        done.push(`make ${namesOf(wanted)}`);
        return Promise.resolve();
      },
      say: (line) => void done.push(line),
      ...parts,
    };
  }

  const run = async (
    wanted: Wanted,
    parts: Partial<Steps> = {},
    problems: readonly Problem[] = [],
  ): Promise<string[]> => {
    await provide(wanted, () => problems, steps(parts));
    return done;
  };

  const BOTH = { names: ['etcd'], ifPossible: ['serving'] };

  it('checks everything before anything is made', async () => {
    assert.deepEqual(await run(BOTH), [
      'check etcd',
      'check serving',
      'Programs: 2 to provide, in about 1:00.',
      'make etcd',
      'make serving',
    ]);
  });

  it('asks nobody when nothing is missing, whatever the next step would need', async () => {
    const missing = (): Promise<Undertaking> => Promise.resolve(undertaking([]));
    assert.deepEqual(await run(BOTH, { missing }, [PROBLEM]), []);
  });

  it('refuses what is needed and cannot be provided, together with what the next step needs', async () => {
    const problem = { ...PROBLEM, object: 'etcd' };
    const preflight = (): Promise<Problem[]> => Promise.resolve([problem]);
    await assert.rejects(run(BOTH, { preflight }, [PROBLEM]), (error: unknown) => {
      assert.ok(error instanceof ProblemsError);
      assert.deepEqual(error.problems, [PROBLEM, problem]);
      return true;
    });
    assert.deepEqual(done, []);
  });

  it('says what cannot be provided if possible, makes nothing of it, and goes on', async () => {
    const preflight = (wanted: Undertaking): Promise<Problem[]> =>
      Promise.resolve(namesOf(wanted) === 'serving' ? [PROBLEM] : []);
    assert.deepEqual(await run(BOTH, { preflight }), [
      'Going on without serving, which cannot be provided:\nwheel: address: cannot be fetched',
      'Programs: 1 to provide, in about 30s.',
      'make etcd',
      'make ',
    ]);
  });

  it('goes on when a source cannot even be looked for', async () => {
    const complete = (wanted: Undertaking): Promise<Undertaking> =>
      namesOf(wanted) === 'serving' ? Promise.reject(new Error('apt-config is gone')) : Promise.resolve(wanted);
    assert.match((await run(BOTH, { complete }))[1] ?? '', /^Going on without serving.*:\nError: apt-config is gone/);
    assert.ok(done.includes('make etcd'));
  });

  it('goes on when making it fails half way, for whatever reason', async () => {
    const failure = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    const make = (wanted: Undertaking): Promise<void> => {
      done.push(`make ${namesOf(wanted)}`);
      return namesOf(wanted) === 'serving' ? Promise.reject(failure) : Promise.resolve();
    };
    assert.match(
      (await run(BOTH, { make })).at(-1) ?? '',
      /^Going on without serving.*ENOSPC: no space left on device/s,
    );
  });

  it('fails when making what is needed fails, and makes nothing else', async () => {
    const make = (wanted: Undertaking): Promise<void> => {
      done.push(`make ${namesOf(wanted)}`);
      return Promise.reject(new ProblemsError([PROBLEM]));
    };
    await assert.rejects(run(BOTH, { make }), /cannot be fetched/);
    assert.equal(done.at(-1), 'make etcd');
  });

  it('makes once what both need', async () => {
    const complete = (wanted: Undertaking): Promise<Undertaking> =>
      Promise.resolve({ ...wanted, toMake: [planned('rustc'), ...wanted.toMake] });
    const [, , , first, second] = await run(BOTH, { complete });
    assert.deepEqual([first, second], ['make rustc etcd', 'make serving']);
  });
});
