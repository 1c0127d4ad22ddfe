import assert from 'node:assert/strict';
import { neededModules } from '../../../toolchain/go-prefetch.ts';

describe('what is fetched ahead of a build', () => {
  it('is every module of which go.sum has the content, not those of which it has only go.mod', () => {
    const goSum = `example.com/a v1.0.0 h1:aaa=
example.com/a v1.0.0/go.mod h1:bbb=
example.com/b v0.9.0/go.mod h1:ccc=
example.com/c v2.0.0+incompatible h1:ddd=
`;
    assert.deepEqual(neededModules(goSum), ['example.com/a@v1.0.0', 'example.com/c@v2.0.0+incompatible']);
  });
});
