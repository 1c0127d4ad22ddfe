import assert from 'node:assert/strict';
import { main } from '../../../cli/main.ts';
import type { Define } from '../../../cli/program/program.ts';
import { checkout } from '../../../packages/lib/checkout.ts';
import { ProblemsError } from '../../../packages/lib/problem.ts';
import { recordingIo } from '../../support/people/recording-io.ts';

function command(name: string, run: () => Promise<number>): Define {
  return (fleet, { finish }) => {
    fleet
      .command(name)
      .summary(`Does ${name}.`)
      .usage('-f FILE')
      .option('-f, --file <file>')
      .action(() => finish(run()));
  };
}

const render = command('render', () => Promise.resolve(0));

describe('fleet', () => {
  it('lists its commands when it is asked for nothing', async () => {
    const io = recordingIo();
    assert.equal(await main([], io, render), 0);
    assert.match(io.stdout(), /^Usage: fleet <command> \[options\]\n/);
    assert.match(io.stdout(), /render +Does render\.\n +help +Show this\./);
    for (const args of [['help'], ['--help'], ['-h']]) {
      const again = recordingIo();
      assert.equal(await main(args, again, render), 0);
      assert.equal(again.stdout(), io.stdout());
    }
  });

  it('says which version it is', async () => {
    for (const word of ['version', '--version']) {
      const io = recordingIo({ [`${checkout}/package.json`]: '{"version":"3.2.1"}' });
      assert.equal(await main([word], io, () => undefined), 0);
      assert.equal(io.stdout(), 'fleet 3.2.1\n');
    }
  });

  it('answers an unknown command with the one that is meant, on standard error, and exit code 2', async () => {
    for (const args of [['rnder'], ['help', 'rnder']]) {
      const io = recordingIo();
      assert.equal(await main(args, io, render), 2);
      assert.equal(
        io.stderr(),
        "fleet: unknown command 'rnder' (Did you mean render?)\nUsage: fleet <command> [options]\n",
      );
      assert.equal(io.stdout(), '');
    }
  });

  it("passes the command's exit code on", async () => {
    const seven = command('render', () => Promise.resolve(7));
    assert.equal(await main(['render'], recordingIo(), seven), 7);
  });

  it('answers wrong arguments with what is wrong, and how the command is used', async () => {
    const refusals: readonly (readonly [args: readonly string[], message: string])[] = [
      [['--flie', 'a'], "unknown option '--flie' (Did you mean --file?)"],
      [['-f'], "option '-f, --file <file>' argument missing"],
      [['a', 'b'], "too many arguments for 'render'. Expected 0 arguments but got 2: a, b."],
    ];
    for (const [args, message] of refusals) {
      const io = recordingIo();
      assert.equal(await main(['render', ...args], io, render), 2);
      assert.equal(io.stderr(), `fleet render: ${message}\nUsage: fleet render -f FILE\n`);
    }
  });

  it('shows every problem, one a line', async () => {
    const io = recordingIo();
    const problems = [
      { path: 'spec.a', message: 'is wrong' },
      { path: 'spec.b', message: 'is missing' },
    ];
    const fails = command('render', () => Promise.reject(new ProblemsError(problems)));
    assert.equal(await main(['render'], io, fails), 1);
    assert.equal(io.stderr(), 'spec.a: is wrong\nspec.b: is missing\n');
  });

  it('says which command an unexpected failure belongs to', async () => {
    const io = recordingIo();
    const fails = command('render', () => Promise.reject(new Error('the disk is full')));
    assert.equal(await main(['render'], io, fails), 1);
    assert.equal(io.stderr(), 'fleet render: the disk is full\n');
  });
});
