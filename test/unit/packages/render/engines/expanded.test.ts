import assert from 'node:assert/strict';
import { expanded } from '../../../../../packages/render/engines/expanded.ts';

const ENV = [
  { name: 'SIZE', value: '8b' },
  { name: 'EMPTY' },
  { name: 'SECRET', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } },
  { name: 'DERIVED', value: 'llama-$(SIZE)' },
];

describe('a word of a command', () => {
  it('has the values of variables, as the kubelet puts them there', () => {
    assert.equal(expanded('plain', ENV), 'plain');
    assert.equal(expanded('$(SIZE)', ENV), '8b');
    assert.equal(expanded('llama-$(SIZE)-$(EMPTY)$(SIZE)', ENV), 'llama-8b-8b');
  });

  it('has a dollar where there are two, or nothing refers to a variable', () => {
    assert.equal(expanded('$$(SIZE)', ENV), '$(SIZE)');
    assert.equal(expanded('$SIZE $ $(SIZE', ENV), '$SIZE $ $(SIZE');
  });

  it('is not known where a variable comes from elsewhere, or is made of others', () => {
    assert.equal(expanded('a-$(SECRET)', ENV), undefined);
    assert.equal(expanded('$(HOME)', ENV), undefined);
    assert.equal(expanded('$(DERIVED)', ENV), undefined);
  });

  it('is never longer than the API allows', () => {
    const env = [{ name: 'LONG', value: 'x'.repeat(1024) }];
    assert.equal(expanded('$(LONG)', env), env[0]?.value);
    assert.equal(expanded('$(LONG)'.repeat(100), env), undefined);
    assert.equal(expanded('$(LONG)', [{ name: 'LONG', value: 'x'.repeat(1025) }]), undefined);
  });
});
