import assert from 'node:assert/strict';
import fc from 'fast-check';
import yaml from 'js-yaml';
import { configYaml } from '../../../../packages/render/config-yaml.ts';

describe('config.yaml', () => {
  it('quotes only what YAML would read as something else', () => {
    const data = { model: 'TitanML/dummy_model', port: '3005', flag: 'yes', size: 2097152, ratio: 0.25, on: true };
    assert.equal(
      configYaml(data),
      'flag: "yes"\nmodel: TitanML/dummy_model\n"on": true\nport: "3005"\nratio: 0.25\nsize: 2097152\n',
    );
  });

  it('writes maps and lists as maps and lists', () => {
    assert.equal(
      configYaml({ loras: [{ name: 'a' }, 'b'], none: {}, empty: [] }),
      'empty: []\nloras:\n  -\n    name: a\n  - b\nnone: {}\n',
    );
  });

  it('keeps whatever is written into a value inside that value', () => {
    const injection = 'x\n  readers_config:\n    other: {}\n# "';
    assert.deepEqual(yaml.load(configYaml({ takeoff: { model_name: injection } })), {
      takeoff: { model_name: injection },
    });
  });

  it('gives every reader the same data back, and the same text for the same data', () => {
    const json = fc.jsonValue({ noUnicodeString: false, stringUnit: 'binary' });
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'binary' }), json), (data) => {
        const text = configYaml(data);
        assert.deepEqual(yaml.load(text), JSON.parse(JSON.stringify(data)));
        assert.equal(configYaml(Object.fromEntries(Object.entries(data).reverse())), text);
      }),
      { numRuns: 500 },
    );
  });
});
