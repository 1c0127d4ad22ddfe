import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { askContained } from '../../../../../components/impact/contained/ask.ts';
import {
  isolation,
  LIMITS,
  NOT_ISOLATED,
  type Isolation,
  type Limits,
} from '../../../../../components/impact/contained/containment.ts';
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
  isolated?: Isolation,
): Promise<Heard> {
  const lines: string[] = [];
  const began = performance.now();
  let refusal = '';
  try {
    const program = { name: 'operator 9.9.9', source };
    for await (const line of askContained(program, ['render'], each(question), {
      limits: { ...LIMITS, seconds: SECONDS, ...limits },
      ...(isolated === undefined ? {} : { isolated }),
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

async function outcomeOf(code: string, isolated?: Isolation): Promise<string> {
  const { lines, refusal } = await hear(attempt(code), {}, ['hello'], isolated);
  assert.equal(refusal, '');
  return lines.join('\n');
}

/** Gives a folder, and a server that listens at a file in another one, as container engines do; tells how often somebody reached it. */
async function withUnixServer(
  use: (path: string, folder: string, reached: () => number) => Promise<void>,
): Promise<void> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'reachable-')));
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'isolated-')));
  let reached = 0;
  const server = createServer((socket) => {
    reached += 1;
    socket.destroy();
  });
  try {
    const path = join(directory, 'engine.sock');
    await new Promise<void>((resolve) => server.listen(path, resolve));
    await use(path, folder, () => reached);
  } finally {
    server.close();
    for (const each of [directory, folder]) await rm(each, { recursive: true, force: true });
  }
}

/** Connects to where a server is; `Socket` is what makes a socket. */
function connecting(Socket: string, to: object): string {
  return `return new Promise((resolve, reject) => {
    new (${Socket})().connect(${JSON.stringify(to)}).on('connect', () => resolve('reached')).on('error', reject);
  })`;
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
    'takes the list of modules away': `module.constructor.isBuiltin = () => false; return require('net')`,
    'says of every module that it is in the list': `Set.prototype.has = Map.prototype.has = () => true; return require('net')`,
    'makes every name another one': `
      for (const name of ['replace', 'slice', 'startsWith']) String.prototype[name] = () => 'path';
      RegExp.prototype.exec = RegExp.prototype[Symbol.replace] = () => 'path';
      return require('node:net')`,
    'makes every object say yes': `Object.prototype.net = Object.prototype['node:net'] = true; return require('net')`,
    'leads another name there': `module.constructor._resolveFilename = () => 'node:net'; return require('./other').connect.name`,
    'finds another file there': `module.constructor._findPath = () => 'node:net'; return require('./other').connect.name`,
    'loads by a loader of its own': `const { _load } = module.constructor; module.constructor._load = (name) => _load(name); return require('net')`,
    'spells it in another way': `return (await import('NODE:net')).connect.name`,
    'imports it by data': `return (await import('data:text/javascript,export { connect } from "node:net"')).connect.name`,
    'opens a socket like its standard input': `return new process.stdin.constructor().connect(1)`,
    'opens what its standard input is made of': `return new process.stdin._handle.constructor(0).connect({}, '/run/x')`,
    'serves by what its standard input is made of': `return new process.stdin._handle.constructor(1).bind('/tmp/owned')`,
    'puts back what makes sockets': `
      const { prototype } = process.stdin.constructor;
      Object.defineProperty(prototype, 'connect', { value: () => 'back' }); return 'back'`,
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
      assert.ok(
        NOT_THERE.test(outcome) ||
          /is not a constructor|Cannot find module|Cannot redefine|No such built-in module/.test(outcome),
        outcome,
      );
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

  it('reaches no server that is a file, even where the kernel does not isolate it', async () => {
    await withUnixServer(async (path, _, reached) => {
      for (const isolated of [await isolation(), NOT_ISOLATED]) {
        assert.match(await outcomeOf(connecting('process.stdin.constructor', { path }), isolated), NOT_THERE);
        assert.match(await outcomeOf(connecting('process.stdout.constructor', { path }), isolated), NOT_THERE);
        assert.match(await outcomeOf(connecting(`require('net').Socket`, { path }), isolated), NOT_THERE);
      }
      assert.equal(reached(), 0);
    });
  });

  it('reaches no server that is a file where the kernel isolates it, even by all that Node can do', async () => {
    await withUnixServer(async (path, folder, reached) => {
      const code = `(() => { ${connecting(`require('net').Socket`, { path })} })().catch(() => undefined)`;
      const run = async ({ command }: Isolation): Promise<void> => {
        const [program, ...rest] = [...command, process.execPath, '-e', code];
        await promisify(execFile)(program, rest, { cwd: folder, env: {} });
      };
      await run(NOT_ISOLATED);
      assert.equal(reached(), 1);
      const isolated = await isolation();
      await run(isolated);
      assert.equal(reached(), isolated.keepsOut.includes('files') ? 1 : 2);
    });
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
