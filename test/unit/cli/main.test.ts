import assert from 'node:assert/strict';
import { type Command, UsageError } from '../../../cli/command.ts';
import { COMMANDS } from '../../../cli/commands.ts';
import { main } from '../../../cli/main.ts';
import { checkout } from '../../../packages/lib/checkout.ts';
import { ProblemsError } from '../../../packages/lib/problem.ts';
import { recordingIo } from '../../support/people/recording-io.ts';

function command(name: string, run: () => Promise<number>): Command {
  return { name, summary: `Does ${name}.`, load: () => Promise.resolve({ run }) };
}

describe('fleet', () => {
  it('lists its commands when it is asked for nothing', async () => {
    const io = recordingIo();
    assert.equal(await main([], io, [command('render', () => Promise.resolve(0))]), 0);
    assert.match(io.stdout(), /render +Does render\.\n +help +Show this\./);
  });

  it('says which version it is', async () => {
    const io = recordingIo({ [`${checkout}/package.json`]: '{"version":"3.2.1"}' });
    assert.equal(await main(['--version'], io, []), 0);
    assert.equal(io.stdout(), 'fleet 3.2.1\n');
  });

  it('answers an unknown command with the list, on standard error, and exit code 2', async () => {
    const io = recordingIo();
    assert.equal(await main(['rnder'], io, [command('render', () => Promise.resolve(0))]), 2);
    assert.match(io.stderr(), /there is no command "rnder"/);
    assert.equal(io.stdout(), '');
  });

  it("passes the command's exit code on", async () => {
    assert.equal(await main(['render'], recordingIo(), [command('render', () => Promise.resolve(7))]), 7);
  });

  it('shows the usage of every command, on standard output', async () => {
    const usage = async (...words: readonly string[]): Promise<string> => {
      const io = recordingIo();
      assert.equal(await main([...words, '--help'], io), 0, words.join(' '));
      assert.ok(io.stdout().startsWith(`Usage: fleet ${words.join(' ')} `), io.stdout());
      return io.stdout();
    };
    for (const { name } of COMMANDS) {
      const text = await usage(name);
      if (!text.includes(' <command> ')) continue;
      for (const [, inner = ''] of text.matchAll(/^ {2}(\w+) /gm)) await usage(name, inner);
    }
  });

  it('shows the usage for wrong arguments', async () => {
    const io = recordingIo();
    const fails = command('render', () => Promise.reject(new UsageError('needs -f', 'Usage: fleet render -f FILE')));
    assert.equal(await main(['render'], io, [fails]), 2);
    assert.equal(io.stderr(), 'fleet render: needs -f\n\nUsage: fleet render -f FILE\n');
  });

  it('shows every problem, one a line', async () => {
    const io = recordingIo();
    const problems = [
      { path: 'spec.a', message: 'is wrong' },
      { path: 'spec.b', message: 'is missing' },
    ];
    const fails = command('render', () => Promise.reject(new ProblemsError(problems)));
    assert.equal(await main(['render'], io, [fails]), 1);
    assert.equal(io.stderr(), 'spec.a: is wrong\nspec.b: is missing\n');
  });
});
