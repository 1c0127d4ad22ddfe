import assert from 'node:assert/strict';
import { buildImage, buildxArgs } from '../../../../components/images/buildx.ts';

const BUILD = { context: 'context', reference: 'registry.example.com/a:1', sourceDateEpoch: 7 };

describe('docker buildx', () => {
  it('is told to push a reproducible image', () => {
    const args = buildxArgs(
      { ...BUILD, labels: { 'a.b': 'c' }, buildArgs: { BASE: 'x' }, platforms: ['linux/arm64'] },
      'm.json',
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

  it('attests provenance when asked to', () => {
    assert.ok(buildxArgs({ ...BUILD, provenance: true }, 'm.json').includes('--provenance=mode=max'));
  });

  it('is not asked to push under a name without registry or tag', async () => {
    for (const reference of ['operator:1', 'registry.example.com/a']) {
      await assert.rejects(buildImage({ ...BUILD, reference }, {}), /is not a name to push under/);
    }
  });
});
