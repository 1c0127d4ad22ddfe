import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import yaml from 'js-yaml';
import { findBackend, type Backend } from '../../../../cli/environment/backend.ts';
import { checkState, type StateUse } from '../../../../cli/environment/check-state.ts';
import { environmentCommand } from '../../../../cli/environment/environment-command.ts';
import { main } from '../../../../cli/main.ts';
import { checkout } from '../../../../packages/lib/checkout.ts';
import { objectAt } from '../../../../packages/lib/json.ts';
import { formatProblem } from '../../../../packages/lib/problem.ts';
import { recordingIo } from '../../../support/people/recording-io.ts';

const REMOTE = { embedded: false };

/** Files by the end of their paths. */
function files(contents: Readonly<Record<string, string>>): (path: string) => string | undefined {
  return (path) => Object.entries(contents).find(([end]) => path.endsWith(end))?.[1];
}

describe('where the state of an environment is kept', () => {
  const none = files({});

  it('is with the embedded cluster for its environments, whatever `pulumi login` chose', () => {
    const read = files({ 'credentials.json': '{"current":"s3://team"}' });
    assert.deepEqual(findBackend({ CLUSTER_STATE: '/cluster' }, { embedded: true }, read), {
      kind: 'embedded',
      url: 'file:///cluster/pulumi',
    });
  });

  it('is where PULUMI_BACKEND_URL says, for every environment', () => {
    for (const embedded of [true, false]) {
      assert.deepEqual(findBackend({ PULUMI_BACKEND_URL: 's3://state' }, { embedded }, none), {
        kind: 'chosen',
        url: 's3://state',
      });
    }
  });

  it('is where `pulumi login` says, in the places where Pulumi remembers it', () => {
    const read = (path: string): string | undefined =>
      path === '/creds/credentials.json' ? '{"current":"file://~"}' : undefined;
    const chosen: Backend = { kind: 'chosen', url: 'file://~' };
    assert.deepEqual(findBackend({ PULUMI_CREDENTIALS_PATH: '/creds', PULUMI_HOME: '/home' }, REMOTE, read), chosen);
    assert.deepEqual(findBackend({ PULUMI_CREDENTIALS_PATH: '', PULUMI_HOME: '/creds' }, REMOTE, read), chosen);
    assert.deepEqual(findBackend({ PULUMI_BACKEND_URL: '', PULUMI_HOME: '/creds' }, REMOTE, read), chosen);
  });

  it('is known to Pulumi alone where it has encrypted the login', () => {
    for (const text of ['{"$pulumiSecureStore":1,"data":"x"}', 'not json']) {
      assert.deepEqual(findBackend({}, REMOTE, files({ 'credentials.json': text })), { kind: 'chosen' });
    }
  });

  it('is where the project says, before the login', () => {
    const read = files({ 'Pulumi.yaml': 'backend: {url: gs://project}', 'credentials.json': '{"current":"file://~"}' });
    assert.deepEqual(findBackend({}, REMOTE, read), { kind: 'chosen', url: 'gs://project' });
  });

  it('is Pulumi’s service where there is only a token', () => {
    const url = 'https://api.pulumi.com';
    assert.deepEqual(findBackend({ PULUMI_ACCESS_TOKEN: 'pul-1' }, REMOTE, none), { kind: 'chosen', url });
    const read = files({ 'credentials.json': '{"current":"s3://team"}' });
    assert.deepEqual(findBackend({ PULUMI_ACCESS_TOKEN: 'pul-1' }, REMOTE, read), { kind: 'chosen', url: 's3://team' });
  });

  it('is nowhere where nobody chose, or after a logout', () => {
    for (const read of [none, files({ 'credentials.json': '{}' }), files({ 'credentials.json': '' })]) {
      assert.deepEqual(findBackend({}, REMOTE, read), { kind: 'none' });
    }
  });
});

describe('working on the state of an environment', () => {
  const EMPTY = { PULUMI_CONFIG_PASSPHRASE: '' };
  const DISK: Backend = { kind: 'chosen', url: 's3://state' };
  const SECURE = 'config: {a: {b: [{secure: v1:x:y}]}}';

  function refusals(
    use: StateUse,
    backend: Backend,
    { text = 'config: {}', embedded = false }: { text?: string; embedded?: boolean } = {},
    env: Readonly<Record<string, string>> = EMPTY,
  ): readonly string[] {
    return checkState(use, { environment: 'prod', content: objectAt(yaml.load(text)), embedded }, backend, env).map(
      formatProblem,
    );
  }

  const NO_BACKEND =
    'environment prod: backend: nobody has chosen where its state is kept. ' +
    'Run `pulumi login`, or set PULUMI_BACKEND_URL. `pulumi login --local` keeps it on this machine.';
  const NO_PASSPHRASE =
    'environment prod: PULUMI_CONFIG_PASSPHRASE: is empty, so everybody who gets the state or the file of the environment can read its ' +
    'secrets. Set one, or PULUMI_CONFIG_PASSPHRASE_FILE, or use a key: see `pulumi stack change-secrets-provider`.';

  it('is refused where nobody has chosen a place for it, unless the command can do without', () => {
    const none: Backend = { kind: 'none' };
    assert.deepEqual(refusals('written', none), [NO_BACKEND]);
    assert.deepEqual(refusals('read', none), [NO_BACKEND]);
    assert.deepEqual([...refusals('optional', none), ...refusals('unused', none)], []);
  });

  it('is refused where an empty passphrase would encrypt secrets', () => {
    assert.deepEqual(refusals('written', DISK), [NO_PASSPHRASE]);
    assert.deepEqual(refusals('optional', DISK, { text: SECURE }), [NO_PASSPHRASE]);
    assert.deepEqual(refusals('optional', DISK), []);
    // What is there already can be taken down.
    assert.deepEqual(refusals('read', DISK), []);
  });

  it('goes on with a passphrase, and where Pulumi asks for one', () => {
    assert.deepEqual(refusals('written', DISK, { text: SECURE }, { PULUMI_CONFIG_PASSPHRASE: 'hush' }), []);
    assert.deepEqual(refusals('written', DISK, { text: SECURE }, {}), []);
  });

  it('goes on where something else than the passphrase encrypts', () => {
    assert.deepEqual(refusals('written', { kind: 'chosen', url: 'https://api.pulumi.com' }, { text: SECURE }), []);
    for (const text of ['secretsprovider: awskms://alias/x', 'encryptedkey: AbC=']) {
      assert.deepEqual(refusals('written', DISK, { text }), []);
    }
    const salted = { text: 'encryptionsalt: v1:a:b' };
    assert.deepEqual(refusals('written', { kind: 'chosen', url: 'https://api.pulumi.com' }, salted), [NO_PASSPHRASE]);
  });

  it('goes on in the embedded cluster, which has nothing to hide', () => {
    assert.deepEqual(refusals('written', { kind: 'embedded', url: 'file:///c' }, { embedded: true, text: SECURE }), []);
  });
});

describe('a command that runs an environment', () => {
  const OPTIONS = { environment: 'prod', forPulumi: [] };
  const PROD = { [`${checkout}/Pulumi.prod.yaml`]: 'config: {}' };
  let home: string;
  before(() => (home = mkdtempSync(join(tmpdir(), 'home-'))));
  after(() => rmSync(home, { recursive: true }));

  it('starts nothing where it would begin a second state beside that of a live cluster', async () => {
    for (const command of [['up'], ['down'], ['state', 'forget'], ['state', 'unlock']]) {
      const io = recordingIo(PROD, { PULUMI_HOME: home });
      assert.equal(await main([...command, '--environment', 'prod'], io), 1);
      assert.match(io.stderr(), /^environment prod: backend: nobody has chosen/);
    }
  });

  it('refuses to write secrets that everybody can read', async () => {
    const io = recordingIo(PROD, { PULUMI_BACKEND_URL: 's3://state', PULUMI_CONFIG_PASSPHRASE: '' });
    assert.equal(await main(['up', '--environment', 'prod'], io), 1);
    assert.match(io.stderr(), /environment prod: PULUMI_CONFIG_PASSPHRASE: is empty/);
  });

  it('previews a new environment where nobody has chosen a place for its state, says so, and leaves nothing behind', async () => {
    const io = recordingIo(PROD, { PULUMI_HOME: home });
    let place = '';
    const preview = environmentCommand('optional', ({ variables }) => {
      const { PULUMI_BACKEND_URL, PULUMI_CONFIG_PASSPHRASE } = variables();
      place = fileURLToPath(PULUMI_BACKEND_URL ?? '');
      assert.ok(existsSync(place));
      assert.equal(PULUMI_CONFIG_PASSPHRASE, '');
      return Promise.resolve();
    });
    assert.equal(await preview(OPTIONS, io), 0);
    assert.equal(existsSync(place), false);
    assert.equal(
      io.stderr(),
      'Nobody has chosen where the state of environment prod is kept (`pulumi login`, or PULUMI_BACKEND_URL): ' +
        'this preview shows a new environment.\n',
    );
  });

  it('works on the state that `pulumi login` chose', async () => {
    writeFileSync(join(home, 'credentials.json'), '{"current":"s3://team"}');
    const io = recordingIo(PROD, { PULUMI_HOME: home });
    const worked: (string | undefined)[] = [];
    const command = environmentCommand('written', ({ variables }) => {
      worked.push(variables()['PULUMI_BACKEND_URL']);
      return Promise.resolve();
    });
    await command(OPTIONS, io);
    assert.deepEqual([worked, io.stderr()], [[undefined], '']);
  });
});
