import assert from 'node:assert/strict';
import { libraryPlaces, separateSettings, siteOf, wrapper } from '../../../toolchain/debian-suite.ts';

describe('a package of another Debian release', () => {
  const TARGETS = 'http://mirror.example/security bookworm-security\nhttp://mirror.example/debian bookworm\n';

  it('comes from the server that the machine has its own packages from', () => {
    assert.equal(siteOf(TARGETS, 'ID=debian\nVERSION_CODENAME=bookworm\n'), 'http://mirror.example/debian');
    assert.equal(siteOf(TARGETS, 'ID="debian"\nVERSION_CODENAME="bookworm"\n'), 'http://mirror.example/debian');
  });

  it('comes from Debian where the machine has packages of another distribution', () => {
    assert.equal(siteOf(TARGETS, 'ID=ubuntu\nVERSION_CODENAME=noble\n'), 'http://deb.debian.org/debian');
    assert.equal(siteOf('', 'ID=debian\nVERSION_CODENAME=bookworm\n'), 'http://deb.debian.org/debian');
  });

  it('is fetched with the proxies of the machine, and without its hooks and sources', () => {
    const machine = `Acquire::http::Proxy "http://proxy.example";
APT::Update::Post-Invoke:: "rm -f /var/cache/apt/archives/*.deb";
Dir::Etc::sourceparts "sources.list.d";
`;
    const lines = separateSettings('/own', machine).split('\n');
    assert.ok(lines.includes('Acquire::http::Proxy "http://proxy.example";'));
    assert.ok(lines.includes('Dir::Etc::sourceparts "/dev/null";'));
    assert.ok(lines.includes('Dir::State "/own/state";'));
    assert.equal(lines.filter((line) => line.includes('Post-Invoke')).length, 0);
  });

  it('is run with its own C library, from any path', () => {
    const libraries = "'/a '\\''b'\\''/usr/lib/aarch64-linux-gnu";
    assert.match(
      wrapper("/a 'b'", 'cargo', 'usr/bin/cargo', 'arm64').split('\n').at(-2) ?? '',
      new RegExp(`^exec ${escape(`${libraries}/ld-linux-aarch64.so.1'`)} '--argv0' \\S+ \\S+ '--library-path' `),
    );
    assert.throws(() => wrapper('/root', 'cargo', 'usr/bin/cargo', 'mips'), /not provided for mips/);
  });

  it('finds the libraries that its package keeps apart', () => {
    const command = wrapper('/root', 'llama-server', 'usr/bin/llama-server', 'x64', ['llama']).split('\n').at(-2) ?? '';
    const [, path] = /'--library-path' '(\S+)'/.exec(command) ?? [];
    assert.deepEqual(
      path?.split(':').map((folder) => folder.replace(/\/$/, '')),
      ['/root/usr/lib/x86_64-linux-gnu', '/root/usr/lib/x86_64-linux-gnu/llama'],
    );
  });

  it('has its loader where the programs of each architecture look for it', () => {
    assert.equal(libraryPlaces('x64').interpreter, 'lib64/ld-linux-x86-64.so.2');
    assert.equal(libraryPlaces('arm64').interpreter, 'lib/ld-linux-aarch64.so.1');
  });
});

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
