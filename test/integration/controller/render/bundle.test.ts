import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, open, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { InferenceStack } from '../../../../packages/api/types.ts';
import { checkout } from '../../../../packages/lib/checkout.ts';
import { run } from '../../../../packages/lib/command.ts';
import type { OpenObject } from '../../../../packages/lib/json.ts';
import { render } from '../../../../packages/render/render.ts';
import { contextWith, stackWith } from '../../../support/people/stacks.ts';

const HEADER = '{"contract":1,"operatorVersion":"1.2.3","capabilities":{"keda":true,"serviceMonitor":true}}';
const SMALL_HEAP = '--max-old-space-size=200';
/** Of everything, also of what is not in the heap, such as the lines as they arrive. */
const MOST_KB = 300 * 1024;
/** What a Kubernetes client is made of, and whatever else leads out of the process. */
const WAYS_OUT = [
  'http',
  'https',
  'http2',
  'net',
  'tls',
  'dns',
  'fs',
  'fs/promises',
  'child_process',
  'worker_threads',
];

const stackOf = (number: number): InferenceStack => {
  const llm = { engine: 'vllm', model: { name: `org/model-${String(number)}` }, replicaCount: number % 3 } as const;
  return stackWith({ applications: { llm } }, `chat-${String(number)}`);
};

describe('what a packed operator would render', function () {
  this.timeout(180_000);
  let directory: string;
  let bundle: string;
  let meter: string;

  before(async () => {
    directory = await realpath(await mkdtemp(join(tmpdir(), 'render-')));
    bundle = join(directory, 'controller.cjs');
    meter = join(directory, 'meter.cjs');
    await writeFile(meter, `process.on('exit', () => process.stderr.write(String(process.resourceUsage().maxRSS)));`);
    await run(process.execPath, ['build/bundle.ts', bundle], { cwd: join(checkout, 'controller') });
  });
  after(() => rm(directory, { recursive: true }));

  /** Node's permission model lets it read its own file, and nothing else. */
  const contained = (): string[] => ['--permission', `--allow-fs-read=${bundle}`, SMALL_HEAP];

  /** The same, with the most memory that it has had, in KB, as its last word on standard error. */
  const metered = (): string[] => [...contained(), `--allow-fs-read=${meter}`, '--require', meter];

  interface Outcome {
    readonly exit: number | null;
    readonly faults: string;
  }

  /** The process sees nothing of our environment. */
  async function ask(
    lines: Iterable<string> | number,
    onAnswer: (answer: OpenObject, at: number) => void,
    nodeArgs = contained(),
    args = ['render'],
  ): Promise<Outcome> {
    const input = typeof lines === 'number' ? lines : 'pipe';
    const child = spawn(process.execPath, [...nodeArgs, bundle, ...args], { env: {}, stdio: [input, 'pipe', 'pipe'] });
    assert.ok(child.stdout !== null && child.stderr !== null);
    let faults = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (faults += text));
    const ended = new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    if (typeof lines !== 'number' && child.stdin !== null) {
      // It may end before it has read everything.
      child.stdin.on('error', () => undefined);
      Readable.from(withNewlines(lines)).pipe(child.stdin);
    }
    let at = 0;
    for await (const line of createInterface({ input: child.stdout })) {
      onAnswer(JSON.parse(line) as OpenObject, at);
      at += 1;
    }
    return { exit: await ended, faults };
  }

  async function answersTo(lines: Iterable<string>, nodeArgs = contained()): Promise<Outcome & { all: OpenObject[] }> {
    const all: OpenObject[] = [];
    const outcome = await ask(lines, (answer) => void all.push(answer), nodeArgs);
    return { ...outcome, all };
  }

  it('is the same for 3,000 stacks as what the sources render, within 200 MB of heap', async () => {
    const COUNT = 3000;
    function* question(): Generator<string> {
      yield HEADER;
      for (let number = 0; number < COUNT; number += 1) yield JSON.stringify(stackOf(number));
    }
    let equal = 0;
    const { exit, faults } = await ask(
      question(),
      (answer, at) => {
        if (at === 0) return;
        const { objects, notices } = render(stackOf(at - 1), contextWith());
        const expected = { line: at + 1, stack: `InferenceStack/team-a/chat-${String(at - 1)}`, objects, notices };
        assert.deepEqual(answer, JSON.parse(JSON.stringify({ ...expected, problems: [] })));
        equal += 1;
      },
      metered(),
    );
    assert.deepEqual({ exit, equal }, { exit: 0, equal: COUNT });
    assertMemory(faults);
  });

  it('is asked from a file as well', async () => {
    const file = join(directory, 'question.jsonl');
    await writeFile(file, `${HEADER}\n${JSON.stringify(stackOf(7))}`);
    const handle = await open(file);
    const keys: unknown[] = [];
    const outcome = await ask(handle.fd, ({ stack }) => void keys.push(stack)).finally(() => handle.close());
    assert.deepEqual(outcome, { exit: 0, faults: '' });
    assert.deepEqual(keys, [undefined, 'InferenceStack/team-a/chat-7']);
  });

  it('survives lines that are made to break it, and answers the good ones between them', async () => {
    const { metadata, ...rest } = stackOf(1);
    const MIB = 1024 * 1024;
    const hostile: readonly string[] = [
      '['.repeat(3 * MIB),
      '{"a":'.repeat(MIB / 2),
      `[${'{},'.repeat(MIB - 10)}{}]`,
      '"'.repeat(100_001),
      'x'.repeat(400 * MIB),
      '\u0000'.repeat(1000),
      `1,{"a" ${'x'.repeat(100_000)}`,
      JSON.stringify({ ...rest, metadata, spec: nested(900) }),
      JSON.stringify({ ...rest, metadata, kind: nested(900) }),
      JSON.stringify({ ...rest, metadata, status: nested(900) }),
      JSON.stringify({ ...rest, metadata, spec: { applications: { llm: { env: many(9_000) } } } }),
      JSON.stringify({ ...rest, metadata: { ...metadata, name: 'a'.repeat(MIB) } }),
      `{"__proto__":{"metadata":{}},"kind":"InferenceStack","metadata":{"__proto__":null,"constructor":1}}`,
    ];
    function* question(): Generator<string> {
      yield HEADER;
      for (const line of hostile) {
        yield line;
        yield JSON.stringify(stackOf(1));
      }
    }
    const { exit, faults, all } = await answersTo(question(), metered());
    assert.deepEqual({ exit, count: all.length }, { exit: 0, count: 1 + 2 * hostile.length });
    assertMemory(faults);
    const good = JSON.stringify(render(stackOf(1), contextWith()).objects);
    for (const [index, line] of hostile.entries()) {
      const [bad, next] = all.slice(1 + 2 * index);
      const what = line.slice(0, 40);
      // A status says nothing about the spec, so a stack with a strange one is rendered.
      if (line.includes('"status"')) assert.equal(JSON.stringify(bad?.['objects']), good, what);
      else assert.ok((bad?.['problems'] as unknown[]).length > 0, what);
      assert.ok(JSON.stringify(bad).length < 100_000, what);
      assert.equal(JSON.stringify(next?.['objects']), good, what);
    }
  });

  it('is refused for a contract that it does not speak, with 2', async () => {
    const { exit, faults, all } = await answersTo(['{"contract":2,"capabilities":{}}', JSON.stringify(stackOf(1))]);
    assert.deepEqual({ exit, faults, count: all.length }, { exit: 2, faults: '', count: 1 });
    assert.match(JSON.stringify(all[0]), /"contracts":\[1\].*is not spoken by this version/);
  });

  it('is found without anything that leads to a cluster, a file or another process', async () => {
    const guard = join(directory, 'guard.cjs');
    await writeFile(
      guard,
      `const { Module } = require('node:module');
      const load = Module._load;
      Module._load = function (name, ...rest) {
        if (${JSON.stringify(WAYS_OUT)}.includes(name.replace(/^node:/, ''))) throw new Error('loads ' + name);
        return load.call(this, name, ...rest);
      };`,
    );
    const { exit, faults, all } = await answersTo([HEADER, JSON.stringify(stackOf(1))], ['--require', guard]);
    assert.deepEqual({ exit, faults, count: all.length }, { exit: 0, faults: '', count: 2 });
    // The guard does see what the operator itself loads.
    const operator = await ask([], () => undefined, ['--require', guard], []);
    assert.notEqual(operator.exit, 0);
    assert.match(operator.faults, /loads (node:)?\w+/);
  });

  it('ends when nobody reads the answers any longer', async () => {
    const child = spawn(process.execPath, [...contained(), bundle, 'render'], { env: {} });
    child.stdin.on('error', () => undefined);
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    function* endless(): Generator<string> {
      yield HEADER;
      for (;;) yield JSON.stringify(stackOf(1));
    }
    const source = Readable.from(withNewlines(endless()));
    source.pipe(child.stdin);
    child.stdout.once('data', () => child.stdout.destroy());
    assert.equal(await ended, 1);
    source.destroy();
  });

  it('is the only other mode', async () => {
    const { exit, faults } = await ask([], () => undefined, contained(), ['reconcile']);
    assert.equal(exit, 2);
    assert.match(faults, /^reconcile is not a mode of this program: use render/);
  });
});

function assertMemory(faults: string): void {
  assert.match(faults, /^\d+$/);
  assert.ok(Number(faults) < MOST_KB, `${faults} KB`);
}

function* withNewlines(lines: Iterable<string>): Generator<Buffer> {
  for (const line of lines) yield Buffer.from(`${line}\n`);
}

function nested(depth: number): unknown {
  return JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`);
}

function many(count: number): { readonly name: string; readonly value: number }[] {
  return Array.from({ length: count }, (_, index) => ({ name: `A${String(index)}`, value: index }));
}
