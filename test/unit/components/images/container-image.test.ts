import assert from 'node:assert/strict';
import * as pulumi from '@pulumi/pulumi';
import { ContainerImage } from '../../../../components/images/container-image.ts';
import type { ContainerImageArgs, ImageBuildSettings } from '../../../../components/images/container-image.ts';
import { reveal, runProgram, valueOf } from '../../../support/pulumi/pulumi-program.ts';
import type { ProgramResult } from '../../../support/pulumi/pulumi-program.ts';

const DIGEST = `sha256:${'d'.repeat(64)}`;
const BUILT = { digest: DIGEST, repoDigest: `registry.example.com/fleet/operator@${DIGEST}` };
const SETTINGS: ImageBuildSettings = { builder: 'docker-build', platforms: ['linux/amd64'] };
const ARGS: Omit<ContainerImageArgs, 'settings'> = {
  image: 'registry.example.com/fleet/operator:1.0.0',
  facts: {
    title: 'Operator',
    version: '1.0.0',
    source: { revision: 'abc', created: new Date('2026-01-02T03:04:05Z') },
  },
  context: 'controller',
};

async function build(settings: Partial<ImageBuildSettings>): Promise<{ ref: string; program: ProgramResult }> {
  let ref = '';
  const program = await runProgram(
    async () => {
      const image = new ContainerImage('operator', { ...ARGS, settings: { ...SETTINGS, ...settings } });
      ref = await valueOf(image.ref);
    },
    () => BUILT,
  );
  return { ref, program };
}

describe('a container image', () => {
  it('is pushed by BuildKit and known by digest, without its tag', async () => {
    const { ref, program } = await build({});
    assert.equal(ref, `registry.example.com/fleet/operator@${DIGEST}`);
    const { inputs } = program.find('docker-build:index:Image', 'operator');
    assert.deepEqual(inputs['tags'], ['registry.example.com/fleet/operator:1.0.0']);
    assert.deepEqual(inputs['exports'], [{ raw: 'type=registry,rewrite-timestamp=true,oci-mediatypes=true' }]);
    assert.deepEqual(inputs['platforms'], ['linux/amd64']);
    assert.deepEqual(inputs['context'], { location: 'controller' });
  });

  it('is dated and labelled by its source, not by a clock', async () => {
    const { program } = await build({});
    const { inputs } = program.find('docker-build:index:Image', 'operator');
    assert.deepEqual(inputs['buildArgs'], { SOURCE_DATE_EPOCH: '0' });
    assert.deepEqual(inputs['labels'], {
      'org.opencontainers.image.title': 'Operator',
      'org.opencontainers.image.version': '1.0.0',
      'org.opencontainers.image.created': '2026-01-02T03:04:05Z',
      'org.opencontainers.image.revision': 'abc',
    });
  });

  it('outlives the stack, since clusters may run it', async () => {
    for (const builder of ['docker-build', 'docker'] as const) {
      const { program } = await build({ builder });
      const images = program.resources.filter(({ type }) => type.endsWith('Image') && !type.includes('fleet:'));
      assert.deepEqual(
        images.map(({ options }) => options.retainOnDelete),
        [true],
      );
    }
  });

  it('is not built in previews unless told, so that previews need no builder', async () => {
    const buildOnPreview = async (settings: Partial<ImageBuildSettings>): Promise<unknown> =>
      (await build(settings)).program.find('docker-build:index:Image', 'operator').inputs['buildOnPreview'];
    assert.equal(await buildOnPreview({}), false);
    assert.equal(await buildOnPreview({ buildOnPreview: true }), true);
  });

  it('is pushed with the user of a private registry, whose password stays secret', async () => {
    const registry = { username: 'robot', password: pulumi.secret('hunter2') };
    const { program } = await build({ registry });
    const { inputs } = program.find('docker-build:index:Image', 'operator');
    const [entry] = reveal(inputs['registries']) as Record<string, unknown>[];
    assert.equal(entry?.['address'], 'registry.example.com');
    assert.equal(entry['username'], 'robot');
    assert.equal(entry['password'], 'hunter2');
  });

  it('is built by the named instance of buildx', async () => {
    const { program } = await build({ buildxInstance: 'embedded' });
    assert.deepEqual(program.find('docker-build:index:Image', 'operator').inputs['builder'], { name: 'embedded' });
  });

  it('can be built by a Docker engine instead', async () => {
    const { ref, program } = await build({ builder: 'docker' });
    assert.equal(ref, `registry.example.com/fleet/operator@${DIGEST}`);
    const { inputs } = program.find('docker:index/image:Image', 'operator');
    assert.equal(inputs['imageName'], 'registry.example.com/fleet/operator:1.0.0');
    const { context, dockerfile, platform } = inputs['build'] as Record<string, unknown>;
    assert.deepEqual([context, dockerfile, platform], ['controller', 'controller/Dockerfile', 'linux/amd64']);
    assert.ok(!program.resources.some(({ type }) => type.startsWith('docker-build:')));
  });

  it('is refused a name that cannot be pushed to', async () => {
    for (const image of ['operator:1', 'docker.io/tytn/operator', `docker.io/tytn/operator@${DIGEST}`]) {
      await assert.rejects(
        runProgram(() => {
          new ContainerImage('operator', { ...ARGS, image, settings: SETTINGS });
        }),
        /image: is not a name to push under/,
      );
    }
  });
});
