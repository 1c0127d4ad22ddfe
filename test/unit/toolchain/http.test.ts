import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ask, download } from '../../../toolchain/http.ts';

describe('requests to package registries', () => {
  let directory: string;
  let server: Server;
  let host: string;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'http-'));
    // Serves whoever signs in, and shows as whom.
    server = createServer(({ headers: { authorization = '' } }, response) => {
      const [, credentials = ''] = authorization.split(' ');
      response.statusCode = credentials === '' ? 401 : 200;
      response.end(Buffer.from(credentials, 'base64').toString());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(() => {
    server.close();
    rmSync(directory, { recursive: true });
  });

  it('send the password of an address, and keep it off the command line', async () => {
    const [hook, seen, file] = [join(directory, 'hook.cjs'), join(directory, 'seen'), join(directory, 'file')];
    writeFileSync(hook, `require('node:fs').appendFileSync(${JSON.stringify(seen)}, process.argv.join(' '))`);
    const env = { ...process.env, NODE_OPTIONS: `--require=${hook}`, NO_PROXY: '127.0.0.1', no_proxy: '127.0.0.1' };
    const url = `http://me:secret@${host}/`;
    assert.deepEqual(await ask([url], env), new Map([[url, { status: 200 }]]));
    await download(url, file, env);
    assert.equal(readFileSync(file, 'utf8'), 'me:secret');
    assert.match(readFileSync(seen, 'utf8'), /http\.ts.*http\.ts/);
    assert.doesNotMatch(readFileSync(seen, 'utf8'), /secret/);
  });

  it('are not made to ask when Node is too old to use the proxy that is set', async () => {
    // Nobody listens on the port, so that asking ends in a failure.
    const asked = async (node: string, env: NodeJS.ProcessEnv): Promise<boolean> =>
      (await ask(['http://127.0.0.1:1/'], env, node)).size > 0;
    for (const node of ['22.18.0', '22.20.0', '23.11.0']) {
      assert.equal(await asked(node, { https_proxy: 'http://127.0.0.1:1' }), false, node);
    }
    assert.equal(await asked('22.21.0', { HTTPS_PROXY: 'http://127.0.0.1:1' }), true);
    assert.equal(await asked('22.18.0', { HTTPS_PROXY: '' }), true);
  });
});
