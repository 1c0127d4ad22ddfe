import assert from 'node:assert/strict';
import { asIs, recipe } from '../../../../cluster/mirror/recipe.ts';

describe('the recipe of an image', () => {
  it('has files by their path in the image, and starts one of them', () => {
    const start = { entrypoint: '/usr/bin/a', user: '1:1', ports: [80, 90], lines: ['ENV PATH=/usr/bin'] };
    const { files, dockerfile } = recipe([asIs('/lib/b.so'), ['usr/bin/a', '/cache/a']], start);
    assert.deepEqual(Object.fromEntries(files), { 'lib/b.so': '/lib/b.so', 'usr/bin/a': '/cache/a' });
    assert.deepEqual(dockerfile.split('\n'), [
      'FROM scratch',
      'COPY --chmod=u=rwX,go=rX root/ /',
      'ENV PATH=/usr/bin',
      'USER 1:1',
      'EXPOSE 80 90',
      'ENTRYPOINT ["/usr/bin/a"]',
      '',
    ]);
  });

  it('opens no port that nobody named', () => {
    assert.doesNotMatch(recipe([], { entrypoint: '/a', user: '1:1' }).dockerfile, /EXPOSE/);
  });
});
