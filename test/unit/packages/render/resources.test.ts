import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseQuantity } from '../../../../packages/kube/quantity.ts';
import { objectAt } from '../../../../packages/lib/json.ts';
import { withDefaultResources } from '../../../../packages/render/resources.ts';

const DEFAULTS = {
  requests: { cpu: '2', memory: '8Gi', 'ephemeral-storage': '10Gi' },
  limits: { memory: '64Gi', 'ephemeral-storage': '200Gi' },
};

describe('default resources', () => {
  it('are there where the user says nothing', () => {
    assert.deepEqual(withDefaultResources(undefined, DEFAULTS), DEFAULTS);
    assert.deepEqual(withDefaultResources({}, DEFAULTS), DEFAULTS);
  });

  it('keep what the user says, and whatever else is beside it', () => {
    const given = { requests: { cpu: 1 }, limits: { 'nvidia.com/gpu': 1 }, claims: [{ name: 'gpu' }] };
    assert.deepEqual(withDefaultResources(given, DEFAULTS), {
      claims: [{ name: 'gpu' }],
      requests: { ...DEFAULTS.requests, cpu: 1 },
      limits: { ...DEFAULTS.limits, 'nvidia.com/gpu': 1 },
    });
  });

  it('ask for no more than the user allows', () => {
    const { requests } = withDefaultResources({ limits: { cpu: '500m', memory: '4Gi' } }, DEFAULTS);
    assert.deepEqual(requests, { cpu: '500m', memory: '4Gi', 'ephemeral-storage': '10Gi' });
  });

  it('allow no less than the user asks for', () => {
    const { limits } = withDefaultResources({ requests: { memory: '100Gi' } }, DEFAULTS);
    assert.deepEqual(limits, { memory: '100Gi', 'ephemeral-storage': '200Gi' });
  });

  it('leave to the API server what is no quantity', () => {
    const given = { requests: { memory: 'lots' }, limits: { cpu: {}, 'ephemeral-storage': '' } };
    assert.deepEqual(withDefaultResources(given, DEFAULTS), {
      requests: { ...DEFAULTS.requests, memory: 'lots' },
      limits: { ...DEFAULTS.limits, cpu: {}, 'ephemeral-storage': '' },
    });
  });

  it('never contradict what the user says', () => {
    const quantity = fc.oneof(
      fc.integer({ min: 0, max: 1_000_000 }),
      fc
        .tuple(fc.integer({ min: 0, max: 2000 }), fc.constantFrom('', 'm', 'k', 'Ki', 'Mi', 'Gi', 'Ti'))
        .map(([amount, suffix]) => `${String(amount)}${suffix}`),
    );
    const amounts = fc.record({ cpu: quantity, memory: quantity, 'ephemeral-storage': quantity }, { requiredKeys: [] });
    fc.assert(
      fc.property(fc.record({ requests: amounts, limits: amounts }, { requiredKeys: [] }), (given) => {
        const result = withDefaultResources(given, DEFAULTS);
        for (const kind of ['requests', 'limits'] as const) {
          const theirs = objectAt(given, kind);
          for (const name of Object.keys(theirs)) assert.equal(objectAt(result, kind)[name], theirs[name]);
        }
        for (const [name, request] of Object.entries(objectAt(result, 'requests'))) {
          const isTheirs = [given.requests, given.limits].every((each) => name in (each ?? {}));
          const limit = parseQuantity(objectAt(result, 'limits')[name]) ?? Infinity;
          if (!isTheirs) assert.ok((parseQuantity(request) ?? 0) <= limit, JSON.stringify(result));
        }
      }),
    );
  });
});
