import assert from 'node:assert/strict';
import type { Attestations } from '../../../../components/images/attestations.ts';
import { buildxArgs } from '../../../../components/images/buildx.ts';

const FILES = { metadata: 'm.json', export: { push: ['registry.example.com/a:1'] } };
const BUILD = { context: 'context', reference: 'registry.example.com/a:1', sourceDateEpoch: 7 };

describe('docker buildx', () => {
  it('is told to push a reproducible image', () => {
    const args = buildxArgs(
      { ...BUILD, labels: { 'a.b': 'c' }, buildArgs: { BASE: 'x' }, platforms: ['linux/arm64'] },
      FILES,
    );
    for (const expected of [
      '--build-arg=BASE=x',
      '--build-arg=SOURCE_DATE_EPOCH=7',
      '--label=a.b=c',
      '--platform=linux/arm64',
      '--provenance=false',
      '--tag=registry.example.com/a:1',
      '--output=type=image,push=true,oci-mediatypes=true,rewrite-timestamp=true',
      '--metadata-file=m.json',
    ]) {
      assert.ok(args.includes(expected), expected);
    }
    assert.equal(args.at(-1), 'context');
  });

  it('attests only when asked to, by the scanner that it is given', () => {
    const attests = (attestations: Attestations): string[] =>
      buildxArgs({ ...BUILD, attestations }, FILES).filter((word) => /^--(provenance|sbom)=/.test(word));
    assert.deepEqual(attests({}), ['--provenance=false']);
    assert.deepEqual(attests({ provenance: true, sbom: true }), ['--provenance=mode=max', '--sbom=true']);
    assert.deepEqual(attests({ sbom: true, sbomScanner: 'registry.example.com/scanner:1' }), [
      '--provenance=false',
      '--sbom=generator=registry.example.com/scanner:1',
    ]);
  });
});
