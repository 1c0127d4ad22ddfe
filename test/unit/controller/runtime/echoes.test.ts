import assert from 'node:assert/strict';
import { Echoes } from '../../../../controller/src/runtime/echoes.ts';

describe('echoes of our own writes', () => {
  it('are no reason to look again, when the watch was faster than the answer', () => {
    const echoes = new Echoes();
    echoes.begin('stack');
    assert.equal(echoes.heard('stack', 'ConfigMap/a', 7), true);
    echoes.wrote('stack', 'ConfigMap/a', 7);
    assert.equal(echoes.end('stack'), false);
  });

  it('are not confused with what others change at the same time', () => {
    const echoes = new Echoes();
    echoes.begin('stack');
    echoes.heard('stack', 'ConfigMap/a', 7);
    echoes.wrote('stack', 'ConfigMap/a', 7);
    echoes.heard('stack', 'ConfigMap/a', 8);
    assert.equal(echoes.end('stack'), true);
  });

  it('are only noted while somebody works on the key', () => {
    const echoes = new Echoes();
    assert.equal(echoes.heard('stack', 'ConfigMap/a', 7), false);
    echoes.begin('stack');
    assert.equal(echoes.heard('other', 'ConfigMap/b', 8), false);
    assert.equal(echoes.end('stack'), false);
  });

  it('tell whether the work has come further', () => {
    const echoes = new Echoes();
    echoes.begin('stack');
    assert.equal(echoes.hasWritten('stack'), false);
    echoes.wrote('stack', 'ConfigMap/a', 7);
    assert.equal(echoes.hasWritten('stack'), true);
    echoes.end('stack');
    echoes.wrote('stack', 'ConfigMap/a', 8);
    assert.equal(echoes.hasWritten('stack'), false);
  });
});
