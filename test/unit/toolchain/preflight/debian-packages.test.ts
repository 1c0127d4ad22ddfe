import assert from 'node:assert/strict';
import { CommandError } from '../../../../packages/lib/command.ts';
import { ProblemsError } from '../../../../packages/lib/problem.ts';
import {
  type Apt,
  packageProblems,
  smallestPerSite,
  suitePackageProblems,
  suiteProblems,
} from '../../../../toolchain/preflight/debian-packages.ts';

const LISTING = `'http://one.example/debian/big.deb' big.deb 5000 SHA256:a
'http://one.example/debian/small.deb' small.deb 40 SHA256:b
'http://two.example/security/other.deb' other.deb 600 SHA256:c
`;

const failure = (output: string): CommandError => new CommandError('apt-get', 100, output);

/** An apt in which everything is all right, but for what is given, and that counts its updates. */
function aptWith(parts: Partial<Apt>): Apt & { updates: number } {
  const apt = {
    updates: 0,
    addresses: () => Promise.resolve(LISTING),
    download: () => Promise.resolve(),
    update: () => Promise.resolve(void (apt.updates += 1)),
    mayUpdate: () => true,
    site: () => Promise.resolve('http://one.example/debian'),
    resolve: () => Promise.resolve(),
    ...parts,
  };
  return apt;
}

describe('Debian packages that have to be fetched', () => {
  it('are tried by the smallest of each server', () => {
    assert.deepEqual(smallestPerSite(LISTING), [
      'http://one.example/debian/small.deb',
      'http://two.example/security/other.deb',
    ]);
  });

  it('are left to apt where it chooses the server', async () => {
    const listing = "'mirror+file:/etc/apt/apt-mirrors.txt/pool/main/s/small.deb' small.deb 40 SHA256:b\n";
    const apt = aptWith({
      addresses: () => Promise.resolve(listing),
      site: () => Promise.resolve('mirror+file:/etc/apt/apt-mirrors.txt'),
      download: (address) => Promise.reject(failure(`${address} cannot be fetched by itself`)),
    });
    assert.deepEqual(await packageProblems(['small'], apt), []);
    assert.deepEqual(await suiteProblems(['trixie'], apt), []);
  });

  it('are all right when they are served, and nobody is asked for none', async () => {
    assert.deepEqual(await packageProblems(['big'], aptWith({})), []);
    assert.deepEqual(await packageProblems([], aptWith({ addresses: () => Promise.reject(failure('')) })), []);
  });

  it('are looked for again after the index was updated, by whoever may', async () => {
    const apt = aptWith({
      addresses: () => (apt.updates === 0 ? Promise.reject(failure('no such package')) : Promise.resolve(LISTING)),
    });
    assert.deepEqual(await packageProblems(['big'], apt), []);
    const user = aptWith({ mayUpdate: () => false, addresses: () => Promise.reject(failure('no such package')) });
    const [problem] = await packageProblems(['big', 'small'], user);
    assert.equal(problem?.object, 'Debian packages big, small');
    assert.match(problem.remedy ?? '', /run "apt-get update" as root\. apt-get said:\nno such package/);
    assert.equal(user.updates, 0);
  });

  it('are named when a server does not answer', async () => {
    const apt = aptWith({ download: () => Promise.reject(failure('Could not connect to one.example')) });
    assert.match((await packageProblems(['big'], apt))[0]?.remedy ?? '', /Could not connect to one\.example/);
    assert.equal((await suiteProblems(['trixie'], apt))[0]?.object, 'Debian trixie');
  });

  it('are named where there is no apt', async () => {
    const missing = Object.assign(new Error('spawn apt-get ENOENT'), { code: 'ENOENT' });
    const problems = await packageProblems(['big'], aptWith({ addresses: () => Promise.reject(missing) }));
    assert.deepEqual(
      problems.map(({ message }) => message),
      ['is not on this system'],
    );
  });
});

describe('a package of a release that changes every day', () => {
  const WANTED = { packageName: 'llama.cpp-tools', suite: 'forky' };

  it('is all right when its release can be reached, and can install it', async () => {
    assert.deepEqual(await suitePackageProblems(WANTED, aptWith({})), []);
  });

  it('is not resolved when its release cannot be reached', async () => {
    const apt = aptWith({
      download: () => Promise.reject(failure('404 Not Found')),
      resolve: () => assert.fail('the index was fetched'),
    });
    assert.equal((await suitePackageProblems(WANTED, apt))[0]?.object, 'Debian forky');
  });

  it('is named when the release has it no longer', async () => {
    const gone = aptWith({ resolve: () => Promise.reject(failure('Unable to locate package llama.cpp-tools')) });
    const [problem] = await suitePackageProblems(WANTED, gone);
    assert.equal(problem?.object, 'llama.cpp-tools of Debian forky');
    assert.match(problem.remedy ?? '', /Unable to locate package/);
    const told = {
      object: 'Debian package llama.cpp-tools of forky',
      path: 'apt-get',
      message: 'cannot be downloaded',
    };
    const explained = aptWith({ resolve: () => Promise.reject(new ProblemsError([told])) });
    assert.deepEqual(await suitePackageProblems(WANTED, explained), [told]);
  });

  it('does not hide an error of our own', async () => {
    const apt = aptWith({ resolve: () => Promise.reject(new TypeError('x is not a function')) });
    await assert.rejects(suitePackageProblems(WANTED, apt), TypeError);
  });
});
