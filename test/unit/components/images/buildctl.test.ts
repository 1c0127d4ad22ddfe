import assert from 'node:assert/strict';
import type { Export } from '../../../../components/images/build-files.ts';
import { buildctlArgs } from '../../../../components/images/buildctl.ts';

const ATTESTATIONS = { provenance: true, sbom: true, sbomScanner: 'registry.example.com/scanner:1' };
const FILES = { metadata: 'm', export: { push: ['r/a:1'] } };

describe('buildctl', () => {
  it('dates every file and label alike, so that the same input gives the same digest', () => {
    const args = buildctlArgs(
      'unix:///run/b.sock',
      {
        context: 'context',
        reference: 'registry:5000/a:1',
        labels: { 'a.b/c': 'd' },
        sourceDateEpoch: 7,
      },
      { metadata: 'metadata.json', export: { push: ['registry:5000/a:1'] } },
    );
    assert.equal(args[0], '--addr=unix:///run/b.sock');
    assert.ok(args.includes('--opt=build-arg:SOURCE_DATE_EPOCH=7'));
    assert.ok(args.includes('--opt=label:a.b/c=d'));
    assert.ok(
      args.includes('--output=type=image,name=registry:5000/a:1,push=true,oci-mediatypes=true,rewrite-timestamp=true'),
    );
  });

  it('builds for the given platforms, and attests only when asked to, by the scanner that it is given', () => {
    const build = { context: 'c', reference: 'r/a:1', sourceDateEpoch: 0 };
    const plain = buildctlArgs('a', build, FILES).join(' ');
    assert.ok(!plain.includes('platform') && !plain.includes('attest'));
    const args = buildctlArgs(
      'a',
      { ...build, platforms: ['linux/amd64', 'linux/arm64'], attestations: ATTESTATIONS },
      FILES,
    );
    assert.ok(args.includes('--opt=platform=linux/amd64,linux/arm64'));
    assert.ok(args.includes('--opt=attest:provenance=mode=max'));
    assert.ok(args.includes('--opt=attest:sbom=generator=registry.example.com/scanner:1'));
    const own = buildctlArgs('a', { ...build, attestations: { sbom: true } }, FILES);
    assert.ok(own.includes('--opt=attest:sbom=') && !own.join(' ').includes('attest:provenance'));
  });

  it('pushes under two names, or into a folder', () => {
    const output = (target: Export): string | undefined =>
      buildctlArgs(
        'a',
        { context: 'c', reference: 'r/a:1', sourceDateEpoch: 0 },
        { metadata: 'm', export: target },
      ).find((word) => word.startsWith('--output='));
    const more = 'oci-mediatypes=true,rewrite-timestamp=true';
    assert.equal(
      output({ push: ['r/a:latest', 'r/a:1'] }),
      `--output=type=image,"name=r/a:latest,r/a:1",push=true,${more}`,
    );
    assert.equal(output({ folder: '/tmp/image' }), `--output=type=oci,tar=false,dest=/tmp/image,${more}`);
  });
});
