import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { basicAuthorization, dockerCredentials } from '../../../../components/registry/credentials.ts';

describe('registry credentials', () => {
  let directory: string;
  before(async () => (directory = await mkdtemp(join(tmpdir(), 'docker-config-'))));
  after(() => rm(directory, { recursive: true }));

  async function credentials(config: object, host: string): Promise<unknown> {
    await writeFile(join(directory, 'config.json'), JSON.stringify(config));
    return dockerCredentials(host, directory);
  }

  it('are read as docker login left them, a colon in the password included', async () => {
    const auth = Buffer.from('robot:a:b').toString('base64');
    const expected = { username: 'robot', password: 'a:b' };
    assert.deepEqual(await credentials({ auths: { 'r.example.com:5000': { auth } } }, 'r.example.com:5000'), expected);
    assert.deepEqual(await credentials({ auths: { 'https://index.docker.io/v1/': { auth } } }, 'docker.io'), expected);
    assert.equal(await credentials({ auths: { 'r.example.com:5000': { auth } } }, 'other.example.com'), undefined);
  });

  it('are none without a configuration', async () => {
    assert.equal(await dockerCredentials('docker.io', join(directory, 'missing')), undefined);
  });

  it('name the helper program that is missing', async () => {
    const config = { credHelpers: { 'r.example.com': 'does-not-exist' } };
    await assert.rejects(
      credentials(config, 'r.example.com'),
      /docker-credential-does-not-exist has no credentials for r\.example\.com/,
    );
  });

  it('are not shown where the configuration is not valid JSON', async () => {
    const file = join(directory, 'config.json');
    await writeFile(file, '{"auths": hunter2}');
    await assert.rejects(dockerCredentials('docker.io', directory), {
      message: `${file}: is not valid JSON. Run \`docker login\` again.`,
    });
  });

  it('make a basic authorization', () => {
    assert.equal(basicAuthorization({ username: 'u', password: 'p' }), 'Basic dTpw');
  });
});
