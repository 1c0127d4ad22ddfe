import assert from 'node:assert/strict';
import type { EnvironmentOptions } from '../../../../cli/environment/options.ts';
import { main } from '../../../../cli/main.ts';
import { defineEnvironmentCommands } from '../../../../cli/program/environment-commands.ts';
import { recordingIo } from '../../../support/people/recording-io.ts';

describe('a command that runs an environment', () => {
  /** What its work is told. */
  async function told(args: readonly string[], env: Record<string, string> = {}): Promise<EnvironmentOptions> {
    let options: EnvironmentOptions | undefined;
    const run = (given: EnvironmentOptions): Promise<number> => {
      options = given;
      return Promise.resolve(0);
    };
    const up = { name: 'up', summary: '', description: '', load: () => Promise.resolve({ run }) };
    const io = recordingIo({}, env);
    const code = await main(args, io, (fleet, invocation) => defineEnvironmentCommands(fleet, invocation, [up]));
    assert.equal(code, 0, io.stderr());
    assert.ok(options);
    return options;
  }

  it('leaves what follows -- to Pulumi', async () => {
    assert.deepEqual(await told(['up', '--environment', 'prod', '--', '--json', '--stack', 'x']), {
      environment: 'prod',
      forPulumi: ['--json', '--stack', 'x'],
    });
    assert.deepEqual(await told(['up', '-e', 'prod', '--']), { environment: 'prod', forPulumi: [] });
  });

  it('runs dev, unless PULUMI_STACK or the command line says another', async () => {
    assert.deepEqual(await told(['up']), { environment: 'dev', forPulumi: [] });
    assert.deepEqual(await told(['up'], { PULUMI_STACK: 'prod' }), { environment: 'prod', forPulumi: [] });
    assert.equal((await told(['up', '-e', 'test'], { PULUMI_STACK: 'prod' })).environment, 'test');
  });

  it('is told of another configuration', async () => {
    const configFile = 'examples/handover/Pulumi.example.yaml';
    assert.deepEqual(await told(['up', '--config-file', configFile]), {
      environment: 'dev',
      forPulumi: [],
      configFile,
    });
  });

  it('refuses what is meant for Pulumi and does not follow --, which Pulumi could misunderstand', async () => {
    const refused = async (...args: readonly string[]): Promise<string> => {
      const io = recordingIo();
      assert.equal(await main(['up', ...args], io), 2);
      return io.stderr();
    };
    const usage = '\nUsage: fleet up [options] [-- arguments for pulumi]\n';
    assert.equal(await refused('--json'), `fleet up: unknown option '--json'${usage}`);
    assert.equal(await refused('prod'), `fleet up: unexpected argument 'prod'${usage}`);
    assert.equal(await refused('prod', '--', '--diff'), `fleet up: unexpected argument 'prod'${usage}`);
  });
});
