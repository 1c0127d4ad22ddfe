import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { placed } from '../../../../components/mirror/registry-target.ts';
import { byDigest, parseReference, type ImageReference } from '../../../../components/registry/reference.ts';
import { RegistryClient } from '../../../../components/registry/registry-client.ts';
import { verifyImage } from '../../../../components/signatures/verify.ts';
import { checkout } from '../../../../packages/lib/checkout.ts';
import { readYaml } from '../../../../packages/lib/read-yaml.ts';
import { publishFleet, type PublishedFleet } from '../../../support/registry/published-fleet.ts';
import { RegistryServer } from '../../../support/registry/registry.ts';
import { testKey } from '../../../support/registry/sign-image.ts';
import { StallingProxy } from '../../../support/registry/stalling-proxy.ts';

/** A user of the second registry; the password, as bcrypt. */
const HTPASSWD = 'robot:$2y$04$abcdefghijklmnopqrstuu2r9OfJnfCsdneAXAGHnS4UpFFP8WIrW\n';
const LAYER_BYTES = 24_000_000;

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

describe('fleet mirror, with two registries', function () {
  this.timeout(120_000);
  let directory: string;
  let first: RegistryServer;
  let way: StallingProxy;
  let second: RegistryServer;
  let published: PublishedFleet;
  let client: RegistryClient;
  const key = testKey();

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'mirror-'));
    [first, second] = await Promise.all([RegistryServer.start(), RegistryServer.start()]);
    way = await StallingProxy.start(first.host);
    published = await publishFleet(way.host, key, LAYER_BYTES);
    writeFileSync(join(directory, 'cosign.pub'), key.publicPem);
    writeFileSync(join(directory, 'olm-v1.11.0.yaml'), published.olmManifest);
    client = new RegistryClient({ plainHttp: true, credentials: () => Promise.resolve(undefined) });
  });
  afterEach(async () => {
    client.close();
    await way.stop();
    await Promise.all([first.stop(), second.stop()]);
    rmSync(directory, { recursive: true });
  });

  /** Runs the command to its end, or until `killed` is there. */
  async function mirror(args: readonly string[], killed?: Promise<void>, before = ''): Promise<Ended> {
    const words = ['mirror', '--plain-http', '--out', join(directory, 'out'), ...args];
    const script = `${before} exec "${process.execPath}" "${join(checkout, 'cli/fleet.mjs')}" "$@"`;
    const child = spawn('bash', ['-c', script, 'fleet', ...words], {
      env: { ...process.env, DOCKER_CONFIG: directory },
    });
    void killed?.then(() => child.kill('SIGKILL'));
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return { code: await ended, out, err };
  }

  function fromRegistry(): string[] {
    const olm = ['--olm-version', '1.11.0', '--olm-manifest', join(directory, 'olm-v{version}.yaml')];
    return ['--catalog-image', published.catalog, '--verify', join(directory, 'cosign.pub'), ...olm];
  }

  function copyOf(image: string, path = 'site/mirror'): ImageReference {
    const reference = parseReference(image);
    assert.ok(reference);
    return placed({ host: second.host, path }, reference);
  }

  async function assertWhole(): Promise<void> {
    const { digest = '', ...catalog } = copyOf(published.catalog);
    await verifyImage(client, byDigest(catalog, digest), key.publicKey);
    assert.ok(await client.manifest({ ...catalog, tag: `${digest.replace(':', '-')}.att` }));
    assert.ok(await client.manifest(copyOf(published.bundle)));
    const operator = copyOf(published.operator);
    const { content } = await client.manifest(operator);
    assert.equal(content.manifests?.length, 3);
    for (const each of content.manifests ?? []) {
      const platform = await client.manifest({ ...operator, digest: each.digest });
      for (const layer of platform.content.layers ?? []) {
        for await (const chunk of await client.blob(operator, layer)) assert.ok(chunk);
      }
    }
  }

  it('copies everything whole, with signatures and attestations, and nothing twice', async () => {
    const target = `${second.host}/site/mirror`;
    const once = await mirror(['--to', target, ...fromRegistry()]);
    assert.equal(once.code, 0, once.err);
    assert.match(once.err, /\[2\/5\] .*olm\/operator-controller:v1 .*copied/);
    assert.match(once.err, /fleet\/operator@sha256:\w+ {2}24 MB copied/);
    await way.stop();
    await assertWhole();

    const settings = readYaml(readFileSync(join(directory, 'out/Pulumi.mirror.yaml'), 'utf8'), 'settings') as {
      readonly config: Readonly<Record<string, unknown>>;
    };
    const catalogd = await client.manifest({ host: second.host, path: 'site/mirror/olm/catalogd', tag: 'v1' });
    assert.deepEqual(settings.config['inference-stack-fleet:catalog'], {
      source: 'image',
      image: published.catalog.replace(way.host, target),
      verify: join(directory, 'cosign.pub'),
    });
    const { images } = settings.config['inference-stack-fleet:olm'] as { images: Record<string, string> };
    assert.equal(images['catalogd'], `${target}/olm/catalogd@${catalogd.digest}`);
    assert.deepEqual(
      settings.config['inference-stack-fleet:registryMirrors'],
      ['operator', 'operator-bundle'].map((name) => ({
        source: `${way.host}/fleet/${name}`,
        mirror: `${target}/fleet/${name}`,
      })),
    );
    assert.equal(readFileSync(join(directory, 'out/olm-v1.11.0.yaml'), 'utf8'), published.olmManifest);
  });

  it('changes nothing when it is run again', async () => {
    const args = ['--to', `${second.host}/site/mirror`, ...fromRegistry()];
    assert.equal((await mirror(args)).code, 0);
    const again = await mirror(args);
    assert.equal(again.code, 0, again.err);
    assert.match(again.err, /fleet\/operator@sha256:\w+ {2}0\.0 MB copied, 24 MB were there/);
    assert.doesNotMatch(again.err, / [1-9]\d* MB copied/);
  });

  it('goes through an archive to a site that does not see the first registry', async () => {
    const archive = join(directory, 'fleet.tar');
    const written = await mirror(['--to', archive, ...fromRegistry()]);
    assert.equal(written.code, 0, written.err);
    await way.stop();
    const read = await mirror(['--from', archive, '--to', `${second.host}/site/mirror`]);
    assert.equal(read.code, 0, read.err);
    await assertWhole();
    assert.equal(readFileSync(join(directory, 'out/olm-v1.11.0.yaml'), 'utf8'), published.olmManifest);
  });

  it('goes on where it was after it was killed while it copied to a registry', async () => {
    const args = ['--to', `${second.host}/site/mirror`, ...fromRegistry()];
    const killed = await mirror(args, way.stallAfter(12_000_000));
    assert.equal(killed.code, null);
    await assert.rejects(client.manifest(copyOf(published.operator)), /404 MANIFEST_UNKNOWN/);
    way.recover();
    const again = await mirror(args);
    assert.equal(again.code, 0, again.err);
    assert.match(again.err, /operator-bundle@.* 0\.0 MB copied, 0\.0 MB were there/);
    await assertWhole();
  });

  it('goes on where it was after it was killed while it wrote an archive, which is then the same', async () => {
    const archive = join(directory, 'fleet.tar');
    const args = ['--to', archive, ...fromRegistry()];
    const killed = await mirror(args, way.stallAfter(12_000_000));
    assert.equal(killed.code, null);
    assert.ok(existsSync(`${archive}.part`) && !existsSync(archive));
    way.recover();
    assert.equal((await mirror(args)).code, 0);
    const other = join(directory, 'other.tar');
    assert.equal((await mirror(['--to', other, ...fromRegistry()])).code, 0);
    assert.ok(readFileSync(archive).equals(readFileSync(other)));
    assert.ok(!existsSync(`${archive}.part`));
  });

  it('refuses a blob that was changed in the registry or in the archive, and leaves no image of it', async () => {
    const archive = join(directory, 'fleet.tar');
    assert.equal((await mirror(['--to', archive, ...fromRegistry()])).code, 0);
    const bytes = readFileSync(archive);
    bytes.write('LAYER', bytes.indexOf('layer of the operator'));
    writeFileSync(archive, bytes);
    const file = first.blobFile(published.layer.digest);
    const blob = readFileSync(file);
    blob.write('LAYER');
    writeFileSync(file, blob);
    for (const from of [fromRegistry(), ['--from', archive]]) {
      const refused = await mirror(['--to', `${second.host}/site/mirror`, ...from]);
      assert.equal(refused.code, 1, refused.err);
      assert.match(refused.err, new RegExp(`content of blob ${published.layer.digest} does not match its digest`));
      await assert.rejects(client.manifest(copyOf(published.operator)), /404 MANIFEST_UNKNOWN/);
    }
  });

  it('names the image and the blob that the first registry has lost', async () => {
    rmSync(first.blobFile(published.layer.digest));
    const failed = await mirror(['--to', `${second.host}/site/mirror`, ...fromRegistry()]);
    assert.equal(failed.code, 1);
    assert.match(failed.err, /fleet\/operator@sha256:\w+: cannot be pulled: 404 BLOB_UNKNOWN/);
  });

  it('refuses a catalog that the key has not signed, before it copies anything', async () => {
    writeFileSync(join(directory, 'cosign.pub'), testKey().publicPem);
    const refused = await mirror(['--to', `${second.host}/site/mirror`, ...fromRegistry()]);
    assert.equal(refused.code, 1);
    assert.match(refused.err, /has no signature of the key/);
    assert.doesNotMatch(refused.err, /copied/);
  });

  it('says who may not push', async () => {
    const guarded = await RegistryServer.start({ htpasswd: HTPASSWD });
    try {
      const refused = await mirror(['--to', `${guarded.host}/site`, ...fromRegistry()]);
      assert.equal(refused.code, 1);
      assert.match(
        refused.err,
        /cannot be pushed: the registry requires a login\. Run docker login 127\.0\.0\.1:\d+ as a user who may push/,
      );
      const auth = Buffer.from('robot:wrong').toString('base64');
      writeFileSync(join(directory, 'config.json'), JSON.stringify({ auths: { [guarded.host]: { auth } } }));
      const wrong = await mirror(['--to', `${guarded.host}/site`, ...fromRegistry()]);
      assert.match(wrong.err, /cannot be pushed: 401.*Run docker login/);
      assert.doesNotMatch(wrong.err, new RegExp(`${auth}|wrong`));
    } finally {
      await guarded.stop();
    }
  });

  it('says that there is no more room, and goes on once there is', async () => {
    const archive = join(directory, 'fleet.tar');
    // In units of 1024 bytes: what a process may write into one file.
    const full = await mirror(['--to', archive, ...fromRegistry()], undefined, 'ulimit -f 10000;');
    assert.equal(full.code, 1);
    assert.match(
      full.err,
      /fleet\.tar: there is no more room: the archive has \d+ bytes\. Free some, or move the \.part file/,
    );
    const again = await mirror(['--to', archive, ...fromRegistry()]);
    assert.equal(again.code, 0, again.err);
    assert.match(again.err, /operator-bundle@.* 0\.0 MB copied, 0\.0 MB were there/);
  });
});
