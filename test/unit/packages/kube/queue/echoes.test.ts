import assert from 'node:assert/strict';
import { Echoes } from '../../../../../packages/kube/queue/echoes.ts';

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
    assert.equal(echoes.cameFurther('stack'), false);
    echoes.wrote('stack', 'ConfigMap/a', 7);
    assert.equal(echoes.cameFurther('stack'), true);
    echoes.end('stack');
    echoes.wrote('stack', 'ConfigMap/b', 8);
    assert.equal(echoes.cameFurther('stack'), false);
  });

  it('do not take a try that writes what one before it has written for one that came further, until one succeeds', () => {
    const echoes = new Echoes();
    const tryToWrite = (...objects: string[]): boolean => {
      echoes.begin('stack');
      for (const object of objects) echoes.wrote('stack', object, 1);
      const further = echoes.cameFurther('stack');
      echoes.end('stack');
      return further;
    };
    assert.equal(tryToWrite('ConfigMap/a'), true);
    assert.equal(tryToWrite('ConfigMap/a', 'Service/b'), true);
    assert.equal(tryToWrite('ConfigMap/a'), false);
    assert.equal(tryToWrite('Service/b', 'ConfigMap/a'), false);
    echoes.forget('stack');
    assert.equal(tryToWrite('ConfigMap/a'), true);
  });
});
