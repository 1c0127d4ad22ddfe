import assert from 'node:assert/strict';
import { isUpToNextPoll } from '../../../../infra/catalog/next-poll.ts';
import type { Settings } from '../../../../infra/config/schema.ts';
import type { Client } from '../../../../packages/kube/client/client.ts';

const TAG = 'registry.example/catalog:1';
const [BEFORE, NOW] = ['a', 'b'].map((digit) => `registry.example/catalog@sha256:${digit.repeat(64)}`) as [
  string,
  string,
];

/** Whether what was planned comes later, and what is said, where the cluster's catalog has one image and serves another. */
async function later(
  live: { readonly ref: string; readonly served?: string },
  { image = TAG, source = 'image' }: { readonly image?: string; readonly source?: string } = {},
): Promise<readonly [boolean, readonly string[]]> {
  const said: string[] = [];
  const status = live.served === undefined ? {} : { resolvedSource: { image: { ref: live.served } } };
  const object = { metadata: { name: 'catalog' }, spec: { source: { image: { ref: live.ref } } }, status };
  const client = { get: () => Promise.resolve(object) } as unknown as Client;
  const answer = await isUpToNextPoll({
    catalog: { source, image, name: 'catalog', pollMinutes: 15 } as Settings['catalog'],
    ask: (question) => question(client),
    pin: () => Promise.resolve(NOW),
    warn: (message) => said.push(message),
  });
  return [answer, said];
}

describe('a version behind the tag of a catalog', () => {
  it('comes after this run where catalogd serves what was behind the tag before, and has no reason to look', async () => {
    assert.deepEqual(await later({ ref: TAG, served: BEFORE }), [
      true,
      [
        'ClusterCatalog catalog: registry.example/catalog:1 is newer than what OLM serves. catalogd looks behind the tag every ' +
          '15 minutes, and then OLM installs what was planned; this run does not wait for it.',
      ],
    ]);
  });

  it('is waited for where catalogd serves it, looks at once, or looks for the first time', async () => {
    assert.deepEqual(await later({ ref: TAG, served: NOW }), [false, []]);
    assert.deepEqual(await later({ ref: 'registry.example/catalog:0', served: BEFORE }), [false, []]);
    assert.deepEqual(await later({ ref: TAG }), [false, []]);
  });

  it('is nothing that a catalog by digest has, or one that is built', async () => {
    assert.deepEqual(await later({ ref: NOW, served: BEFORE }, { image: NOW }), [false, []]);
    assert.deepEqual(await later({ ref: TAG, served: BEFORE }, { source: 'build' }), [false, []]);
  });
});
