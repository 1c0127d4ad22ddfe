import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { InferenceStackSpec } from '../../../../../packages/api/types.ts';
import { eventually } from '../../../../support/machine/eventually.ts';
import { Program } from '../../../../support/machine/program.ts';
import { ask } from '../../../../support/serving/clients.ts';
import { MountedTable } from '../../../../support/serving/mounted-table.ts';
import { StandInStack } from '../../../../support/serving/stand-in-stack.ts';

describe('a change of the table', function () {
  this.timeout(20_000);
  let stack: StandInStack;
  let directory: string;
  let mounted: MountedTable;
  let keeper: Program;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'route-keeper-'));
    mounted = new MountedTable(join(directory, 'table'));
    stack = await StandInStack.start(specWith('alias-1'));
    await mounted.write(stack.rendered(specWith('alias-1')).table);
  });
  afterEach(async () => {
    await keeper.stop('SIGKILL');
    await stack.stop();
    await rm(directory, { recursive: true });
  });

  it('reaches a running gateway each time the kubelet swaps the ConfigMap, and no request fails', async () => {
    keeper = keep();
    const end = new AbortController();
    const load = ask({ url: stack.onwards.url, model: 'shared', clients: 10, signal: end.signal });
    for (const alias of ['alias-2', 'alias-3']) {
      await mounted.write(stack.rendered(specWith(alias)).table);
      await eventually(async () => assert.deepEqual(await stack.onwards.aliases(), [alias, 'shared']));
    }
    end.abort();
    const { by, failures } = await load;
    assert.deepEqual(failures, []);
    assert.deepEqual(Object.keys(by).sort(), ['canary', 'main']);
  });

  it('leaves the old table in force while it cannot be read', async () => {
    keeper = keep();
    await mounted.write('{ "targets": ');
    await eventually(() => assert.match(stack.onwards.log(), /Failed to reload config/));
    const { failures } = await ask({ url: stack.onwards.url, model: 'shared', clients: 2, requests: 20 });
    assert.deepEqual(failures, []);
    assert.deepEqual(await stack.onwards.aliases(), ['alias-1', 'shared']);
    await mounted.write(stack.rendered(specWith('alias-2')).table);
    await eventually(async () => assert.deepEqual(await stack.onwards.aliases(), ['alias-2', 'shared']));
  });

  it('is waited for by a script that ends at once when it is told to', async function () {
    this.timeout(8_000);
    // Longer than the test may take.
    await mounted.write(stack.rendered(specWith('alias-2')).table);
    keeper = keep('sleep 1 ', 'sleep 10 ');
    await eventually(async () => assert.deepEqual(await stack.onwards.aliases(), ['alias-2', 'shared']));
    assert.equal(await keeper.stop(), 0);
  });

  /** Runs the script as its container does, with the gateway's file and the mounted table in place of the pod's. */
  function keep(find = '', put = ''): Program {
    const script = stack
      .rendered(specWith('alias-1'))
      .routeKeeper.replaceAll('/table/', `${mounted.directory}/`)
      .replaceAll('/routes/', `${dirname(stack.onwards.file)}/`)
      .replace(find, put);
    return new Program('sh', ['-c', script], join(directory, 'log'));
  }
});

describe('a table that changes again and again', function () {
  this.timeout(20_000);

  it('fails no request, cuts no stream, and keeps the shares', async () => {
    let finish: (() => void) | undefined;
    const mayFinish = new Promise<void>((resolve) => (finish = resolve));
    const stack = await StandInStack.start(specWith('alias-0'), ({ body }) =>
      body['stream'] === true ? mayFinish : setTimeout(2),
    );
    try {
      const { url } = stack.onwards;
      const stream = await fetch(`${url}/v1/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'shared', messages: [], stream: true }),
      });
      const end = new AbortController();
      const load = ask({ url, model: 'shared', clients: 10, signal: end.signal });
      for (let change = 1; change <= 20; change += 1) {
        const alias = `alias-${change}`;
        stack.onwards.write(stack.rendered(specWith(alias)).table);
        await eventually(async () => assert.deepEqual(await stack.onwards.aliases(), [alias, 'shared']));
      }
      end.abort();
      assert.deepEqual((await load).failures, []);
      finish?.();
      assert.match(await stream.text(), /"last"/);
      const { by } = await ask({ url, model: 'shared', clients: 5, requests: 300 });
      // Equal places would be counted together by now, and the canary would get half.
      assert.ok((by['canary'] ?? 0) < 75, JSON.stringify(by));
    } finally {
      await stack.stop();
    }
  });
});

/** Two applications that share an alias, of which one has another as well. */
function specWith(alias: string): InferenceStackSpec {
  return {
    applications: {
      main: { engine: 'vllm', aliases: ['shared', alias], weight: 90 },
      canary: { engine: 'vllm', aliases: ['shared'], weight: 10 },
    },
  };
}
