import assert from 'node:assert/strict';
import fc from 'fast-check';
import yaml from 'js-yaml';
import { requestBody } from '../../../../../packages/kube/client/request-body.ts';

describe('the body of a request', () => {
  it('is the same data for a reader of JSON and for a reader of YAML', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        const body = requestBody(value);
        const expected: unknown = JSON.parse(JSON.stringify(value));
        assert.deepEqual(JSON.parse(body), expected);
        assert.deepEqual(yaml.load(body, { schema: yaml.JSON_SCHEMA }), expected);
      }),
      { numRuns: 300 },
    );
  });

  it('keeps what YAML would take for line breaks, and empty keys', () => {
    assert.equal(
      requestBody({ '': 'a\u2028b\u0085', b: { '': '{"":' } }),
      '{"": "a\\u2028b\\u0085","b":{"": "{\\"\\":"}}',
    );
  });
});
