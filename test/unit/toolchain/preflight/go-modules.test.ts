import assert from 'node:assert/strict';
import { goProxy } from '../../../../toolchain/go-proxy.ts';
import type { Answer } from '../../../../toolchain/http.ts';
import { type Ask, moduleProblems } from '../../../../toolchain/preflight/go-modules.ts';

const WANTED = [
  { module: 'example.com/a', version: 'v1.0.0', programs: ['a', 'aa'] },
  { module: 'example.com/b', version: 'v2.0.0', programs: ['b'] },
];

/** A network in which addresses that contain a word are answered in its way. */
function network(answers: Readonly<Record<string, Answer>>): Ask {
  return (urls) =>
    Promise.resolve(
      new Map(urls.map((url) => [url, Object.entries(answers).find(([word]) => url.includes(word))?.[1] ?? {}])),
    );
}

async function told(setting: string, answers: Readonly<Record<string, Answer>>, wanted = WANTED): Promise<string[]> {
  const problems = await moduleProblems(wanted, goProxy(setting), network(answers));
  return problems.map(({ object, message, remedy }) => `${object ?? ''}: ${message}. ${remedy ?? ''}`);
}

describe('modules that have to be fetched', () => {
  it('are all right when each is served', async () => {
    assert.deepEqual(await told('https://one.example', { '/': { status: 200 } }), []);
  });

  it('are named when they are not served, with the programs that are made of them', async () => {
    const problems = await told('https://one.example,direct', { '/a/': { status: 403 }, '/b/': { status: 200 } });
    assert.equal(problems.length, 1);
    assert.match(problems[0] ?? '', /^module example.com\/a@v1.0.0: does not serve it: HTTP 403\. .*put a, aa on PATH/);
  });

  it('may come from another proxy, or from a repository', async () => {
    const second = { 'one.example': { status: 404 }, 'two.example': { status: 200 } };
    assert.deepEqual(await told('https://one.example,https://two.example', second), []);
    assert.deepEqual(await told('https://one.example,direct', { '/': { status: 404 } }), []);
    assert.equal((await told('https://one.example', { '/': { status: 404 } })).length, 2);
    assert.deepEqual(await told('direct', {}), []);
  });

  it('are one problem when nobody answers', async () => {
    const problems = await told('https://one.example,direct', { '/': { failure: 'ENOTFOUND one.example' } });
    assert.equal(problems.length, 1);
    assert.match(problems[0] ?? '', /^Go modules: does not answer\. .*ENOTFOUND one\.example$/);
  });

  it('are left to the next place after any error where the setting says so', async () => {
    const refused = { 'one.example': { status: 403 }, 'two.example': { status: 200 } };
    assert.deepEqual(await told('https://one.example|https://two.example', refused), []);
    assert.match((await told('https://one.example,https://two.example', refused))[0] ?? '', /serve it: HTTP 403\./);
    assert.deepEqual(await told('https://one.example|direct', { '/': { status: 403 } }), []);
    const dead = { '/': { failure: 'ECONNREFUSED' } };
    assert.deepEqual(await told('https://one.example|direct', dead), []);
    assert.equal((await told('https://one.example|https://two.example,direct', dead)).length, 1);
    assert.equal((await told('https://one.example|https://two.example', dead)).length, 1);
  });

  it('are left to the go command where it may sign in', async () => {
    for (const status of [401, 407]) assert.deepEqual(await told('https://one.example', { '/': { status } }), []);
    for (const status of [403, 404]) {
      const signingIn = goProxy('https://one.example', () => true);
      assert.deepEqual(await moduleProblems(WANTED, signingIn, network({ '/': { status } })), []);
    }
    // What is in the address was sent, so that the go command gets the same answer.
    assert.equal((await told('https://me:secret@one.example', { '/': { status: 403 } })).length, 2);
  });

  it('are waited for when a proxy is slow with some of them, or with all', async () => {
    assert.deepEqual(await told('https://one.example', { '/a/': { status: 200 } }), []);
    assert.deepEqual(await told('https://one.example', { '/a/': { failure: 'ECONNRESET' } }), []);
    assert.deepEqual(await told('https://one.example', {}), []);
  });

  it('are named when downloads are turned off', async () => {
    assert.match(
      (await told('off', {}))[0] ?? '',
      /allows no downloads, and Go's cache lacks example\.com\/a, example\.com\/b/,
    );
    assert.deepEqual(await told('off', {}, []), []);
  });
});
