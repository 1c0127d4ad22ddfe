import assert from 'node:assert/strict';
import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Execute } from '../../../../cli/environment/execute.ts';
import { executeProcess } from '../../../../cli/environment/execute.ts';
import { prepare } from '../../../../cli/environment/prepare.ts';
import {
  pulumi,
  pulumiOnExisting,
  pulumiOutputs,
  pulumiState,
  pulumiVariables,
} from '../../../../cli/environment/pulumi.ts';
import { openEnvironmentFile } from '../../../../cli/environment/environment-file.ts';
import { main } from '../../../../cli/main.ts';
import { checkout } from '../../../../packages/lib/checkout.ts';
import type { run } from '../../../../packages/lib/command.ts';
import { recordingIo } from '../../../support/people/recording-io.ts';

describe('running an environment', () => {
  let directory: string;
  before(() => (directory = mkdtempSync(join(tmpdir(), 'environment-'))));
  after(() => rmSync(directory, { recursive: true }));

  /** Remembers commands instead of running them. */
  function recorder(): { execute: Execute; commands: string[] } {
    const commands: string[] = [];
    const execute: Execute = async (command, args) => {
      commands.push([command, ...args].join(' '));
      return Promise.resolve();
    };
    return { execute, commands };
  }

  it('knows from the environment file where it runs and whether it has something to show', async () => {
    const dev = 'config: {inference-stack-fleet:cluster: embedded, inference-stack-fleet:demo: true}';
    const prod = 'config: {inference-stack-fleet:kubeconfig: /k, inference-stack-fleet:kubeContext: production}';
    const io = recordingIo({ '/c/Pulumi.dev.yaml': dev, '/c/Pulumi.prod.yaml': prod });
    const nowhere = { kubeconfig: undefined, kubeContext: undefined };
    assert.deepEqual(await openEnvironmentFile(io, '/c', { environment: 'dev' }), {
      name: 'Pulumi.dev.yaml',
      text: dev,
      content: { config: { 'inference-stack-fleet:cluster': 'embedded', 'inference-stack-fleet:demo': true } },
      embedded: true,
      demo: true,
      packs: true,
      ...nowhere,
    });
    const empty = recordingIo({ '/c/Pulumi.new.yaml': 'config:' });
    assert.deepEqual(await openEnvironmentFile(empty, '/c', { environment: 'new' }), {
      name: 'Pulumi.new.yaml',
      text: 'config:',
      content: { config: null },
      embedded: false,
      demo: false,
      packs: false,
      ...nowhere,
    });
    const cluster = { kubeconfig: '/k', kubeContext: 'production' };
    for (const environment of ['prod', 'acme/inference-stack-fleet/prod']) {
      const { content, ...file } = await openEnvironmentFile(io, '/c', { environment });
      assert.deepEqual(Object.keys(content), ['config']);
      assert.deepEqual(file, {
        name: 'Pulumi.prod.yaml',
        text: prod,
        embedded: false,
        demo: false,
        packs: false,
        ...cluster,
      });
    }
    await assert.rejects(openEnvironmentFile(io, '/c', { environment: 'test' }), {
      message:
        'Pulumi.test.yaml: there is no such environment. ' +
        'Environments of this checkout: dev, prod. Choose one with ENV=, or copy the file of one.',
    });
    await assert.rejects(openEnvironmentFile(recordingIo(), '/c', { environment: 'test' }), {
      message:
        'Pulumi.test.yaml: there is no such environment. ' +
        'There is none yet: copy examples/own-cluster/Pulumi.example.yaml.',
    });
    await assert.rejects(openEnvironmentFile(io, '/c', { environment: 'dev', configFile: 'mine.yaml' }), {
      message: 'mine.yaml: there is no such file. Name a configuration that exists with CONFIG=.',
    });
    const denied = Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
    await assert.rejects(
      openEnvironmentFile({ ...io, read: () => Promise.reject(denied) }, '/c', { environment: 'dev' }),
      {
        message: 'Pulumi.dev.yaml: cannot be read: EACCES: permission denied',
      },
    );
  });

  it('leaves it to the program to refuse settings that do not matter here', async () => {
    const text = 'config: {inference-stack-fleet:cluster: embedded, inference-stack-fleet:operators: none}';
    const io = recordingIo({ '/c/Pulumi.dev.yaml': text });
    assert.equal((await openEnvironmentFile(io, '/c', { environment: 'dev' })).embedded, true);
  });

  it('refuses what is wrong with the settings that it goes by, by the file that it read', async () => {
    const text = 'config: {inference-stack-fleet:cluster: embeded, inference-stack-fleet:operators: none}';
    const io = recordingIo({ '/c/mine.yaml': text });
    await assert.rejects(openEnvironmentFile(io, '/c', { environment: 'dev', configFile: 'mine.yaml' }), {
      message: 'mine.yaml: cluster: must be one of kubeconfig, embedded (got "embeded")',
    });
  });

  it('leaves it to Pulumi where the state of an environment is kept, and by what its secrets are encrypted', () => {
    writeFileSync(join(directory, 'credentials.json'), '{"current":"s3://team"}');
    for (const env of [{ PULUMI_HOME: directory }, { PULUMI_BACKEND_URL: 's3://state' }]) {
      const given = pulumiVariables(env, { embedded: false, name: '' });
      assert.equal(given['PULUMI_BACKEND_URL'], env.PULUMI_BACKEND_URL);
      assert.equal('PULUMI_CONFIG_PASSPHRASE' in given, false);
    }
  });

  it('keeps the state of an embedded cluster with the cluster, so that both are deleted together', () => {
    const env = pulumiVariables({ CLUSTER_STATE: join(directory, 'cluster') }, { embedded: true, name: '' });
    assert.equal(env['PULUMI_BACKEND_URL'], `file://${directory}/cluster/pulumi`);
    assert.equal(env['PULUMI_CONFIG_PASSPHRASE'], '');
    const secret = { CLUSTER_STATE: directory, PULUMI_CONFIG_PASSPHRASE_FILE: '/secret' };
    assert.equal('PULUMI_CONFIG_PASSPHRASE' in pulumiVariables(secret, { embedded: true, name: '' }), false);
  });

  it('starts the local cluster only for an environment that wants it', async () => {
    const build = 'npm run build --workspace controller --workspace demo';
    const embedded = recorder();
    await prepare(embedded.execute, '/c', {}, { embedded: true, demo: false, packs: true });
    assert.deepEqual(embedded.commands, [
      'node toolchain/main.ts ensure --to-run pulumi cluster olm',
      'node cluster/embedded/main.ts up',
      'node cluster/mirror/main.ts',
      build,
    ]);
    const remote = recorder();
    await prepare(remote.execute, '/c', {}, { embedded: false, demo: true, packs: true });
    assert.deepEqual(remote.commands, ['node toolchain/main.ts ensure pulumi', build]);
  });

  it('packs programs only for images that are built from them', async () => {
    const catalog = (source: string): string => `config: {'inference-stack-fleet:catalog': {source: ${source}}}`;
    const image = `config: {'inference-stack-fleet:catalog': {source: image, image: registry.example/catalog:1}}`;
    const texts = { checkout: catalog('checkout'), image, build: catalog('build'), wrong: catalog('elsewhere') };
    const packs = Object.entries(texts).map(async ([environment, text]) => {
      const io = recordingIo({ [`/c/Pulumi.${environment}.yaml`]: text });
      return [environment, (await openEnvironmentFile(io, '/c', { environment })).packs] as const;
    });
    const wanted = { checkout: true, image: false, build: false, wrong: true };
    assert.deepEqual(Object.fromEntries(await Promise.all(packs)), wanted);
    const { execute, commands } = recorder();
    await prepare(execute, '/c', {}, { embedded: false, demo: false, packs: false });
    assert.deepEqual(commands, ['node toolchain/main.ts ensure pulumi']);
  });

  it('provides what serves a model only where there is something to show, and goes on without it', async () => {
    const { execute, commands } = recorder();
    await prepare(execute, '/c', {}, { embedded: true, demo: true, packs: true });
    assert.equal(commands[0], 'node toolchain/main.ts ensure --to-run pulumi cluster olm --if-possible serving');
  });

  const DEV = { checkout, environment: 'dev', configuration: 'config: {}\n', env: {} };

  it('creates an environment that does not exist yet, and no other', async () => {
    for (const exists of [true, false]) {
      const commands: string[] = [];
      const execute: Execute = async (_command, args) => {
        commands.push(args.filter((arg) => !arg.startsWith('/')).join(' '));
        return args.includes('--show-name') && !exists ? Promise.reject(new Error('no stack')) : Promise.resolve();
      };
      await pulumi(execute, DEV, ['up', '--yes']);
      assert.deepEqual(commands, [
        'stack --show-name --stack dev',
        ...(exists ? [] : ['stack init --no-select --stack dev']),
        'up --yes --suppress-progress --stack dev --config-file',
      ]);
    }
  });

  it('takes down and cancels only what exists', async () => {
    const { execute, commands } = recorder();
    await pulumiOnExisting(execute, DEV, ['destroy']);
    await pulumiState(execute, DEV, ['cancel']);
    assert.match(
      commands[0] ?? '',
      /^pulumi destroy --suppress-progress --stack dev --config-file \/\S+\/Pulumi\.dev\.yaml$/,
    );
    assert.deepEqual(commands.slice(1), ['pulumi cancel --stack dev']);
  });

  it('lets Pulumi write into a copy of the environment file alone', async () => {
    const seen: string[] = [];
    const execute: Execute = async (_command, args, { cwd }) => {
      const option = args.indexOf('--config-file');
      const file = option === -1 ? join(cwd, 'Pulumi.prod.yaml') : (args[option + 1] ?? '');
      assert.equal(readFileSync(join(dirname(file), 'Pulumi.yaml'), 'utf8'), readFileSync('Pulumi.yaml', 'utf8'));
      seen.push(readFileSync(file, 'utf8'));
      appendFileSync(file, 'encryptionsalt: v1\n');
      return Promise.resolve();
    };
    await pulumi(execute, { ...DEV, environment: 'acme/inference-stack-fleet/prod' }, ['up']);
    assert.deepEqual(seen, ['config: {}\n', 'config: {}\nencryptionsalt: v1\n']);
  });

  it('commits no salt: it would refuse the passphrase of everybody else', () => {
    const folders = ['.', ...readdirSync('examples').map((name) => `examples/${name}`)];
    const files = folders.flatMap((folder) =>
      ['dev', 'prod', 'example'].map((name) => `${folder}/Pulumi.${name}.yaml`).filter((file) => existsSync(file)),
    );
    assert.ok(files.length > 5);
    for (const file of files) assert.doesNotMatch(readFileSync(file, 'utf8'), /^encryption/m, file);
  });

  it('lets nothing that a provider writes for itself stay behind', async () => {
    let temporary = '';
    const execute: Execute = async (_command, _args, { env }) => {
      temporary = env['TMPDIR'] ?? '';
      writeFileSync(join(temporary, 'kubeconfig1'), 'keys');
      return Promise.reject(new Error('failed'));
    };
    await assert.rejects(pulumi(execute, DEV, ['up']), /failed/);
    assert.ok(temporary !== '' && !existsSync(temporary));
  });

  it('gives a shell what it needs, quoted', async () => {
    const dev = 'config: {inference-stack-fleet:cluster: embedded}';
    const io = recordingIo({ [`${checkout}/Pulumi.dev.yaml`]: dev }, { CLUSTER_STATE: "/it's/here" });
    assert.equal(await main(['env'], io), 0);
    assert.match(io.stderr(), /There is no embedded cluster yet/);
    assert.match(io.stdout(), /^export PULUMI_STACK='dev'$/m);
    assert.match(io.stdout(), /^export PULUMI_BACKEND_URL='file:\/\/\/it'\\''s\/here\/pulumi'$/m);
    assert.match(io.stdout(), /^export PATH='[^']+\/\.tools\/bin':'[^']+\/node_modules\/\.bin':"\$PATH"$/m);
    assert.doesNotMatch(io.stdout(), /KUBECONFIG/);
  });

  it('reads what the program has said at the end', async () => {
    const seen: string[] = [];
    const read: typeof run = (command, args, options) => {
      seen.push([command, ...args].join(' '), readFileSync(join(options?.cwd ?? '', 'Pulumi.dev.yaml'), 'utf8'));
      return Promise.resolve('{"olm":"1.10.0"}');
    };
    assert.deepEqual(await pulumiOutputs(DEV, read), { olm: '1.10.0' });
    assert.deepEqual(seen, ['pulumi stack output --json --stack dev', 'config: {}\n']);
  });

  it('tells policies which environment they judge', async () => {
    const told: (string | undefined)[] = [];
    const execute: Execute = (_command, _args, { env }) => {
      told.push(env['PULUMI_STACK']);
      return Promise.resolve();
    };
    await pulumi(execute, { ...DEV, environment: 'acme/inference-stack-fleet/prod' }, ['preview']);
    assert.deepEqual(told, [undefined, 'prod']);
  });

  it('takes its configuration from another file when told to', async () => {
    const io = recordingIo({ '/c/examples/handover/Pulumi.example.yaml': 'config: {}' });
    const options = { environment: 'dev', configFile: 'examples/handover/Pulumi.example.yaml' };
    assert.deepEqual(await openEnvironmentFile(io, '/c', options), {
      name: 'examples/handover/Pulumi.example.yaml',
      text: 'config: {}',
      content: { config: {} },
      embedded: false,
      demo: false,
      packs: false,
      kubeconfig: undefined,
      kubeContext: undefined,
    });
  });

  it('shows what a quiet command printed when it fails', async () => {
    const options = { cwd: '.', env: process.env, quiet: true };
    await assert.rejects(executeProcess('node', ['-e', 'console.log("so"); process.exit(3)'], options), {
      message: 'node -e console.log("so"); process.exit(3) failed with exit code 3\nso',
    });
    await assert.rejects(
      executeProcess('no-such-program', [], options),
      /no-such-program cannot be run: .*`make tools` provides it\./,
    );
  });
});
