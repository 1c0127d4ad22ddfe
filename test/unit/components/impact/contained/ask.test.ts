import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { askContained } from '../../../../../components/impact/contained/ask.ts';
import { LIMITS, type Limits } from '../../../../../components/impact/contained/containment.ts';
import { ProblemsError } from '../../../../../packages/lib/problem.ts';

const SECONDS = 8;

interface Heard {
  readonly lines: readonly string[];
  readonly refusal: string;
  readonly ms: number;
}

/** What a program says to these lines, and why it was refused; empty if it was not. */
async function hear(
  source: string,
  limits: Partial<Limits> = {},
  question: readonly string[] = ['hello'],
): Promise<Heard> {
  const lines: string[] = [];
  const began = performance.now();
  let refusal = '';
  try {
    const program = { name: 'operator 9.9.9', source };
    for await (const line of askContained(program, ['render'], each(question), {
      limits: { ...LIMITS, seconds: SECONDS, ...limits },
    })) {
      lines.push(line.toString());
    }
  } catch (error) {
    assert.ok(error instanceof ProblemsError, String(error));
    refusal = error.message;
  }
  return { lines, refusal, ms: performance.now() - began };
}

// eslint-disable-next-line @typescript-eslint/require-await -- what is asked comes from an API server otherwise
async function* each(lines: Iterable<string>): AsyncGenerator<string> {
  yield* lines;
}

/** A program that tries something and prints what came of it. */
function attempt(code: string): string {
  return `(async () => { try { console.log(String(await (async () => { ${code} })())); } catch (error) { console.log('refused: ' + error.message); } })();`;
}

async function outcomeOf(code: string): Promise<string> {
  const { lines, refusal } = await hear(attempt(code));
  assert.equal(refusal, '');
  return lines.join('\n');
}

/** Everybody who gets around one of the walls stands before the next one, so each is tried by itself. */
const NOT_THERE = /^refused: (.* is not available here|.* is not a function|Access to this API .*|.* of undefined.*)/;

describe('a program that nobody has to trust', function () {
  this.timeout(60_000);

  it('answers what it is asked, line by line', async () => {
    const source = `
      let text = '';
      process.stdin.on('data', (chunk) => (text += chunk));
      process.stdin.on('end', () => { for (const line of text.trim().split('\\n')) console.log(line.toUpperCase()); });`;
    const { lines, refusal } = await hear(source, {}, ['one', 'two']);
    assert.deepEqual({ lines, refusal }, { lines: ['ONE', 'TWO'], refusal: '' });
  });

  it('sees nothing of our environment, and is asked by its argument', async () => {
    process.env['INNOCENT_SECRET'] = 'hunter2';
    try {
      const seen = await outcomeOf('return JSON.stringify([Object.keys(process.env), process.argv.slice(2)])');
      const [names, args] = JSON.parse(seen) as [string[], string[]];
      // A shell sets these by itself.
      assert.deepEqual(
        names.filter((name) => !['PWD', 'OLDPWD', 'SHLVL', '_'].includes(name)),
        [],
      );
      assert.deepEqual(args, ['render']);
    } finally {
      delete process.env['INNOCENT_SECRET'];
    }
  });

  for (const [what, code] of Object.entries({
    'reads a file': `return require('node:fs').readFileSync('/etc/passwd', 'utf8')`,
    'imports a file': `return (await import('/etc/hostname')).default`,
    'requires a file': `return require('/etc/passwd.json')`,
    'writes a file': `return (await import('fs/promises')).writeFile('/tmp/owned', 'x')`,
    'asks for a module by the process': `return process.getBuiltinModule('fs')`,
    'asks for a module by the loader': `return module.constructor._load('node:fs')`,
    'asks for a module by another require': `return module.constructor.createRequire('/')('fs')`,
    'puts a hook before ours': `return module.constructor.registerHooks({ resolve: () => ({ url: 'node:fs', shortCircuit: true }) })`,
    'starts a process': `return require('child_process').execFileSync('id')`,
    'becomes another process': `return process.execve('/usr/bin/id', ['id'])`,
    'starts a thread': `return new (require('worker_threads').Worker)('1', { eval: true })`,
    'loads native code': `return process.dlopen({ exports: {} }, '/lib/x86_64-linux-gnu/libc.so.6')`,
    'asks for what Node is made of': `return process.binding('tcp_wrap')`,
    'signals another process': `return process.kill(${String(process.pid)}, 0)`,
    'writes a report to a file': `return process.report.writeReport('/tmp/owned')`,
    'opens a debugger': `return require('inspector').open(0)`,
    'asks for names of hosts': `return require('dns').lookup('localhost', () => undefined)`,
    'sends datagrams': `return require('dgram').createSocket('udp4')`,
    'fetches a page': `return fetch('http://127.0.0.1/')`,
    'opens a web socket': `return new WebSocket('ws://127.0.0.1/').url`,
  })) {
    it(`cannot do so when it ${what}`, async () => {
      const outcome = await outcomeOf(code);
      assert.ok(NOT_THERE.test(outcome) || /is not a constructor|Cannot find module/.test(outcome), outcome);
    });
  }

  it('reaches no server of this machine', async () => {
    let reached = 0;
    const server = createServer((socket) => {
      reached += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    try {
      for (const name of ['net', 'node:net', 'http', 'tls', 'http2', '_http_client']) {
        const outcome = await outcomeOf(`return require('${name}').connect(${String(port)}, '127.0.0.1')`);
        assert.match(outcome, NOT_THERE);
      }
      assert.equal(reached, 0);
    } finally {
      server.close();
    }
  });

  it('is ended when it never ends', async () => {
    const { refusal, ms } = await hear('for (;;);', { seconds: 2 });
    assert.match(refusal, /^operator 9\.9\.9: did not end within 2 s\. What it would do cannot be known\./);
    assert.ok(ms < 20_000, String(ms));
  });

  it('is ended when it only waits, reads nothing, and has closed its output', async () => {
    const question = Array.from({ length: 1000 }, () => 'x'.repeat(10_000));
    const { refusal } = await hear('process.stdout.destroy(); setInterval(() => {}, 1000);', { seconds: 2 }, question);
    assert.match(refusal, /did not end within 2 s/);
  });

  it('is ended when its values take too much memory', async () => {
    const { refusal } = await hear('const held = []; for (;;) held.push(new Array(1000).fill(1.5));', { heapMiB: 64 });
    assert.match(refusal, /was ended by SIG|ended with exit code/);
    assert.match(refusal, /memory/i);
  });

  it('is ended when its buffers take too much memory', async () => {
    const code = `const held = []; for (;;) { held.push(Buffer.alloc(10e6, 1)); console.log(held.length); }`;
    const { refusal, lines } = await hear(code);
    assert.match(refusal, /memory|allocation/i);
    assert.ok(Number(lines.at(-1)) * 10 < LIMITS.memoryMiB * 1.1, lines.at(-1));
  });

  it('is ended when it prints a gigabyte in one line', async () => {
    const code = `const chunk = Buffer.alloc(1e6, 'x'); let left = 1000; const more = () => { while (left-- > 0) if (!process.stdout.write(chunk)) { process.stdout.once('drain', more); return; } }; more();`;
    const before = process.memoryUsage().rss;
    const { refusal } = await hear(code, { lineBytes: 1_000_000 });
    assert.match(refusal, /printed a line of more than 1000000 bytes/);
    assert.ok(process.memoryUsage().rss - before < 100e6);
  });

  it('may print a gigabyte of complaints, of which a line is told, without what steers a terminal', async () => {
    const code = `process.stderr.write('Error: \\u001b[31mred\\u202e\\u0007\\n'); const chunk = Buffer.alloc(1e6, 'x'); for (let left = 1000; left > 0; left -= 1) process.stderr.write(chunk); process.exitCode = 3;`;
    const { refusal } = await hear(code, { seconds: 30 });
    assert.match(refusal, /ended with exit code 3: Error: \[31mred\. What it would do/);
  });

  it('is told by its exit code and its reason when it breaks', async () => {
    const { refusal, lines } = await hear(`console.log('{}'); throw new Error('no such luck');`);
    assert.deepEqual(lines, ['{}']);
    assert.match(refusal, /^operator 9\.9\.9: ended with exit code 1: Error: no such luck\./);
  });

  it('is ended when nobody listens any longer, and leaves no files', async () => {
    const folders = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('contained-'));
    const before = folders();
    const program = { name: 'endless', source: `setInterval(() => console.log('{}'), 1);` };
    for await (const line of askContained(program, [], each([]))) {
      assert.equal(line.toString(), '{}');
      break;
    }
    assert.deepEqual(folders(), before);
  });

  it('is ended when what it is asked cannot be read any further', async () => {
    // eslint-disable-next-line @typescript-eslint/require-await -- see above
    async function* broken(): AsyncGenerator<string> {
      yield 'one';
      throw new Error('the API server is gone');
    }
    const program = { name: 'patient', source: `process.stdin.resume();` };
    await assert.rejects(async () => {
      for await (const line of askContained(program, [], broken())) assert.fail(line.toString());
    }, /the API server is gone/);
  });
});
