import assert from 'node:assert/strict';
import { ApiError } from '../../../../../packages/kube/client/api-error.ts';
import type { Client } from '../../../../../packages/kube/client/client.ts';
import { ServedGroup } from '../../../../../packages/kube/watch/served-group.ts';
import { eventually } from '../../../../support/machine/eventually.ts';

/** An API server whose discovery answers with these codes, one for each question, and with the last for all further ones. */
class FakeDiscovery {
  readonly asked: string[] = [];
  readonly #codes: number[];

  constructor(...codes: number[]) {
    this.#codes = codes;
  }

  readonly client: Pick<Client, 'until'> = {
    until: () => ({ raw: (path: string) => this.#answer(path) }) as unknown as Client,
  };

  #answer(path: string): Promise<unknown> {
    const code = this.#codes[Math.min(this.asked.length, this.#codes.length - 1)] ?? 0;
    this.asked.push(path);
    return code === 200 ? Promise.resolve({ kind: 'APIGroup' }) : Promise.reject(new ApiError('GET', code, 'answered'));
  }
}

describe('a group of APIs that may be served', () => {
  const stop = new AbortController();
  const runs: Promise<void>[] = [];
  after(async () => {
    stop.abort();
    await Promise.all(runs);
  });

  function follow(
    api: FakeDiscovery,
    onServed?: () => void,
  ): { readonly group: ServedGroup; readonly run: Promise<void> } {
    const group = new ServedGroup({ client: api.client, group: 'platform.example', askAgainMs: 1, onServed });
    const run = group.run(stop.signal);
    runs.push(run);
    return { group, run };
  }

  it('is unknown before an answer, and an error is none', async () => {
    const api = new FakeDiscovery(503, 403, 404);
    const { group } = follow(api);
    assert.equal(group.served, undefined);
    await eventually(() => assert.equal(api.asked.length, 2));
    assert.equal(group.served, undefined);
    await group.whenAnswered;
    assert.equal(group.served, false);
    assert.deepEqual(new Set(api.asked), new Set(['/apis/platform.example']));
  });

  it('stays absent while discovery fails after a no', async () => {
    const api = new FakeDiscovery(404, 500);
    const { group } = follow(api);
    await eventually(() => assert.equal(api.asked.length, 3));
    assert.equal(group.served, false);
  });

  it('is told when it appears, and is never asked for again', async () => {
    const api = new FakeDiscovery(404, 404, 200, 404);
    let told = 0;
    const { group, run } = follow(api, () => (told += 1));
    await run;
    assert.equal(group.served, true);
    assert.deepEqual({ asked: api.asked.length, told }, { asked: 3, told: 1 });
  });
});
