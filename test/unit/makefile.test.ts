import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { checkout } from '../../packages/lib/checkout.ts';

describe('the Makefile', () => {
  it('explains each of its targets', () => {
    const targets = [...readFileSync(`${checkout}/Makefile`, 'utf8').matchAll(/^\.PHONY: (\S+)$/gm)].map(
      ([, target]) => target,
    );
    const help = execFileSync('make', ['--directory', checkout, 'help'], { encoding: 'utf8' });
    const explained = [...help.matchAll(/^ {2}(\S+) +\S.*\.$/gm)].map(([, target]) => target);
    assert.deepEqual(explained, targets);
  });

  for (const target of ['status', 'audit', 'catalog-show', 'env']) {
    it(`lists the environments that exist when ${target} names another`, () => {
      const { status, stderr } = spawnSync('make', ['--directory', checkout, target, 'ENV=nope'], {
        encoding: 'utf8',
      });
      assert.equal(status, 2);
      assert.match(
        stderr,
        /^Pulumi\.nope\.yaml: there is no such environment\. Environments of this checkout: .*\bdev\b.*\bprod\b/,
      );
    });
  }

  /** What make makes of a variable, in an environment that has nothing but PATH and what is given. */
  function valueOf(name: string, env: Readonly<Record<string, string>> = {}, ...args: readonly string[]): string {
    const print = `--eval=print: ; @echo '$(${name})'`;
    return execFileSync('make', [print, 'print', ...args], {
      cwd: checkout,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], ...env },
      // A shell with so little around it takes a pipe from Node for a network connection, and reads the machine's settings.
      stdio: ['ignore', 'pipe', 'inherit'],
    }).trim();
  }

  it('runs the environment that was chosen for pulumi, unless told another, and dev by default', () => {
    assert.equal(valueOf('ENV'), 'dev');
    assert.equal(valueOf('ENV', { PULUMI_STACK: 'staging' }), 'staging');
    assert.equal(valueOf('ENV', { PULUMI_STACK: 'staging' }, 'ENV=prod'), 'prod');
  });

  it('does not take the ENV of a shell, which names the file that it starts with, for an environment', () => {
    assert.equal(valueOf('ENV', { ENV: '/root/.shinit' }), 'dev');
    assert.equal(valueOf('ENV_NAMED', { ENV: '/root/.shinit' }), '');
  });

  for (const target of [
    'up',
    'preview',
    'down',
    'policy',
    'audit',
    'status',
    'env',
    'unlock',
    'forget',
    'catalog-show',
  ]) {
    it(`says for ${target} what STACK= is called now, in one line, whether it was written or exported`, () => {
      const make = (args: readonly string[], env: Readonly<Record<string, string>>): string => {
        const options = { encoding: 'utf8', env: { ...process.env, ...env } } as const;
        const { status, stderr } = spawnSync('make', ['--directory', checkout, target, ...args], options);
        assert.equal(status, 2);
        return stderr;
      };
      const line = /^Makefile:\d+: \*\*\* STACK= is now ENV=: write ENV=prod\. {2}Stop\.\n$/;
      assert.match(make(['STACK=prod'], {}), line);
      assert.match(make([], { STACK: 'prod' }), line);
    });
  }

  it('withdraws no version that nobody has named: VERSION has a default for other targets', () => {
    const { status, stderr } = spawnSync('make', ['--directory', checkout, 'catalog-withdraw', 'REASON=x'], {
      encoding: 'utf8',
      env: { ...process.env, VERSION: 'v1.0.0' },
    });
    assert.equal(status, 2);
    assert.match(stderr, /make catalog-withdraw needs VERSION=vX\.Y\.Z, a released version\. {2}Stop\.\n$/);
  });

  it('passes a reason on as it was written, with its dollar signs', () => {
    const reason = 'loses $5 in $(HOME) and `x`';
    assert.equal(valueOf('REASON', {}, `REASON=${reason}`), reason);
    assert.equal(valueOf('REASON', { REASON: reason }), reason);
  });

  it('finds the home directory of a user whose environment does not tell it', () => {
    assert.equal(valueOf('HOME'), userInfo().homedir);
    assert.equal(valueOf('HOME', { HOME: '/elsewhere' }), '/elsewhere');
  });

  it('says what is wrong with a home directory that is not there', () => {
    const bootstrap = (HOME: string): Buffer =>
      execFileSync('sh', [`${checkout}/toolchain/bootstrap.sh`], {
        env: { PATH: process.env['PATH'], HOME },
        stdio: 'pipe',
      });
    for (const home of ['', '/nonexistent']) {
      assert.throws(() => bootstrap(home), {
        message: new RegExp(
          `bootstrap: the home directory '${home}' does not exist or cannot be written. Set HOME to `,
        ),
      });
    }
  });
});
