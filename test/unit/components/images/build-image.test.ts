import assert from 'node:assert/strict';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { buildImage, type BuildKitAccess } from '../../../../components/images/build-image.ts';

const DIGEST = `sha256:${'d'.repeat(64)}`;
const BUILD = { context: 'context', reference: 'registry.example.com/a:1', sourceDateEpoch: 7 };
const DAEMON = { address: 'tcp://127.0.0.1:1' };

describe('building an image outside of a Pulumi program', () => {
  let directory: string;
  const { PATH } = process.env;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'build-image-'));
    process.env['PATH'] = directory;
  });
  afterEach(async () => {
    process.env['PATH'] = PATH;
    await rm(directory, { recursive: true });
  });

  /** A program that writes down its arguments and configuration, and does what the script says. */
  async function program(name: string, script: string): Promise<void> {
    const path = join(directory, name);
    process.env['PATH'] = [directory, PATH].join(delimiter);
    await writeFile(path, `#!/bin/sh\necho "$@ $DOCKER_CONFIG" > ${path}.seen\n${script}\n`);
    await chmod(path, 0o755);
  }

  const metadata = (content: object): string =>
    `for word; do case $word in --metadata-file=*) echo '${JSON.stringify(content)}' > "\${word#*=}";; esac; done`;

  it('is done by the daemon at an address, or else by Docker, and gives the image by digest', async () => {
    const ways: readonly (readonly [string, BuildKitAccess, RegExp])[] = [
      ['buildctl', { ...DAEMON, dockerConfig: '/config' }, /^--addr=tcp:\/\/127\.0\.0\.1:1 build .* \/config\n$/],
      ['docker', {}, /^buildx build .* context \n$/],
    ];
    for (const [name, access, words] of ways) {
      await program(name, metadata({ 'containerimage.digest': DIGEST }));
      assert.equal(await buildImage(BUILD, access), `registry.example.com/a@${DIGEST}`);
      assert.match(await readFile(join(directory, `${name}.seen`), 'utf8'), words);
    }
  });

  it('is refused a name without registry or tag', async () => {
    for (const reference of ['operator:1', 'registry.example.com/a']) {
      await assert.rejects(buildImage({ ...BUILD, reference }, {}), /is not a name to push under/);
    }
  });

  it('says which program is missing, and how to get it', async () => {
    await assert.rejects(buildImage(BUILD, {}), {
      message:
        'image registry.example.com/a:1: docker: is not on PATH. ' +
        'Install Docker with buildx, or set BUILDKIT_HOST to the address of a BuildKit daemon.',
    });
    await assert.rejects(buildImage(BUILD, DAEMON), {
      message:
        'image registry.example.com/a:1: buildctl: is not on PATH. ' + 'Put buildctl, a program of BuildKit, on PATH.',
    });
  });

  it('tells a build that failed from a BuildKit that does not answer', async () => {
    await program('buildctl', 'echo "RUN false: exit code 1" >&2; exit 1');
    await assert.rejects(buildImage(BUILD, DAEMON), /tcp:\/\/127\.0\.0\.1:1: the build failed\. \n(?:.*\n)*RUN false/);
    await program('buildctl', 'echo "dial tcp: connection refused" >&2; exit 1');
    await assert.rejects(
      buildImage(BUILD, DAEMON),
      /BuildKit cannot be reached\. Is it running\? Start it, or name one that runs/,
    );
    await program('docker', 'echo "RUN false: exit code 1" >&2; exit 1');
    await assert.rejects(buildImage(BUILD, {}), /docker buildx: the build failed/);
  });

  it('does not take an image without a digest for built', async () => {
    await program('docker', metadata({}));
    await assert.rejects(buildImage(BUILD, {}), /BuildKit reported no digest for registry\.example\.com\/a:1/);
  });
});
