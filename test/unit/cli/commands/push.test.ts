import assert from 'node:assert/strict';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { build } from 'esbuild';
import { processIo } from '../../../../cli/io.ts';
import { main } from '../../../../cli/main.ts';

const DIGEST = `sha256:${'d'.repeat(64)}`;
const BASE = 'registry.example.com/fleet/operator';

describe('pushing from a checkout', () => {
  let directory: string;
  const { PATH } = process.env;

  /** A builder that writes down what it is told to push. */
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'push-'));
    const pushed = join(directory, 'pushed');
    const script = `#!/bin/sh
for word; do case $word in
  --metadata-file=*) echo '{"containerimage.digest": "${DIGEST}"}' > "\${word#*=}";;
  --output=*) echo "$word" | sed 's/.*name=\\([^,]*\\).*/\\1/' >> ${pushed};;
esac; done
`;
    await writeFile(pushed, '');
    await writeFile(join(directory, 'buildctl'), script);
    await chmod(join(directory, 'buildctl'), 0o755);
    process.env['PATH'] = [directory, PATH].join(delimiter);
  });
  afterEach(async () => {
    process.env['PATH'] = PATH;
    await rm(directory, { recursive: true });
  });

  /** Names that were pushed, in order. */
  async function pushed(args: readonly string[], exitCode = 0): Promise<readonly string[]> {
    const errors: string[] = [];
    const env = {
      IMAGE_TAG_BASE: BASE,
      BUILDKIT_HOST: 'tcp://127.0.0.1:1',
      BASE_IMAGE: 'registry.example.com/node:24',
    };
    const io = { ...processIo, env, out: () => undefined, err: (text: string) => void errors.push(text) };
    assert.equal(await main(args, io), exitCode, errors.join(''));
    return (await readFile(join(directory, 'pushed'), 'utf8')).split('\n').filter((line) => line !== '');
  }

  it('takes no tag that a release may have', async () => {
    assert.deepEqual(await pushed(['bundle', 'push', '--version', 'v1.0.0', '--dev']), [
      `${BASE}:checkout`,
      `${BASE}-bundle:checkout-1.0.0`,
    ]);
  });

  it('takes no tag that a released catalog may have', async () => {
    const template = join(directory, 'template.yaml');
    const image = 'docker.io/tytn/operator-bundle:1.0.0';
    await writeFile(
      template,
      `Schema: olm.semver\nGenerateMajorChannels: true\nFast: {Bundles: [{Image: '${image}'}]}`,
    );
    assert.deepEqual(await pushed(['catalog', 'push', '--dev', '--template', template]), [
      `${BASE}:checkout`,
      `${BASE}-bundle:checkout-1.0.0`,
      `${BASE}-catalog:checkout`,
    ]);
  });

  it('pushes nothing when something would be refused later', async () => {
    assert.deepEqual(await pushed(['bundle', 'push', '--version', 'v1.0.0', '--crd-version', 'v9'], 2), []);
    assert.deepEqual(await pushed(['bundle', 'push', '--version', 'v1.0.0+b7', '--dev'], 1), []);
    const template = join(directory, 'template.yaml');
    const bundles = ['docker.io/tytn/a:1.0.0', 'docker.io/tytn/b:1.0.0'].map((image) => `{Image: '${image}'}`).join();
    await writeFile(template, `Schema: olm.semver\nGenerateMajorChannels: true\nFast: {Bundles: [${bundles}]}`);
    assert.deepEqual(await pushed(['catalog', 'push', '--dev', '--template', template], 1), []);
  });

  it('loads no Pulumi', async () => {
    const entryPoints = ['cli/commands/bundle/push.ts', 'cli/commands/catalog/push.ts'];
    const options = { bundle: true, write: false, metafile: true, platform: 'node', packages: 'external' } as const;
    const { metafile } = await build({ ...options, entryPoints, format: 'esm', outdir: 'unused' });
    const imported = Object.values(metafile.inputs).flatMap(({ imports }) => imports.map(({ path }) => path));
    assert.deepEqual(
      imported.filter((path) => path.startsWith('@pulumi/')),
      [],
    );
  });

  it('tags a release with its version', async () => {
    assert.deepEqual(await pushed(['bundle', 'push', '--version', 'v1.0.0']), [
      `${BASE}:1.0.0`,
      `${BASE}-bundle:1.0.0`,
    ]);
  });
});
