import assert from 'node:assert/strict';
import type { Application, NetworkPolicy } from '../../../../packages/api/types.ts';
import { at, objectsOf } from '../../../support/people/stacks.ts';

const MODEL = { name: 'org/model' };
const APPLICATIONS: Record<string, Application> = {
  chat: { engine: 'vllm', model: MODEL },
  small: { engine: 'llamacpp', model: MODEL, suspend: true },
};

const policyOf = (networkPolicy?: NetworkPolicy, applications = APPLICATIONS): unknown =>
  objectsOf({ ...(networkPolicy === undefined ? {} : { networkPolicy }), applications })['NetworkPolicy/gateway'];

describe('the NetworkPolicy of a stack', () => {
  it('lets only the gateway and Prometheus reach the engines, which ask nobody for a key', () => {
    const gateway = {
      'app.kubernetes.io/component': 'gateway',
      'app.kubernetes.io/name': 'inference-stack',
      'app.kubernetes.io/instance': 'chat',
    };
    const prometheus = { matchLabels: { 'app.kubernetes.io/name': 'prometheus' } };
    assert.deepEqual(at(policyOf(), 'spec'), {
      podSelector: {
        matchLabels: { 'app.kubernetes.io/name': 'inference-stack', 'app.kubernetes.io/instance': 'chat' },
        matchExpressions: [{ key: 'app.kubernetes.io/component', operator: 'NotIn', values: ['gateway'] }],
      },
      policyTypes: ['Ingress'],
      ingress: [
        { from: [{ podSelector: { matchLabels: gateway } }, { namespaceSelector: {}, podSelector: prometheus }] },
      ],
    });
  });

  it('selects pods by labels that they have, and that the gateway has not', () => {
    const objects = objectsOf({ applications: APPLICATIONS });
    const labels = (name: string): Record<string, string> =>
      at(objects[`Deployment/${name}`], 'spec.template.metadata.labels') as Record<string, string>;
    const selector = at(policyOf(), 'spec.podSelector') as {
      matchLabels: Record<string, string>;
      matchExpressions: [{ key: string; values: string[] }];
    };
    const [{ key, values }] = selector.matchExpressions;
    const isSelected = (name: string): boolean =>
      Object.entries(selector.matchLabels).every(([label, value]) => labels(name)[label] === value) &&
      !values.includes(labels(name)[key] ?? '');
    assert.deepEqual(['chat', 'small', 'gateway'].map(isSelected), [true, true, false]);
    const from = at(policyOf(), 'spec.ingress.0.from.0.podSelector.matchLabels') as Record<string, string>;
    assert.ok(Object.entries(from).every(([label, value]) => labels('gateway')[label] === value));
  });

  it('stays the same while applications come and go: pods of one that was removed serve until they have gone', () => {
    const { chat = {} } = APPLICATIONS;
    assert.deepEqual(policyOf(undefined, { chat }), policyOf());
    const emptied = objectsOf({ gateway: { kind: 'onwards' }, applications: {} })['NetworkPolicy/gateway'];
    assert.deepEqual(at(emptied, 'spec'), at(policyOf(), 'spec'));
  });

  it('lets the user’s scrapers in instead', () => {
    const scrapers = [{ ipBlock: { cidr: '10.0.0.0/8' } }];
    assert.deepEqual((at(policyOf({ scrapers }), 'spec.ingress.0.from') as unknown[]).slice(1), scrapers);
    assert.equal((at(policyOf({ scrapers: [] }), 'spec.ingress.0.from') as unknown[]).length, 1);
  });

  it('is not made where the user does not want it, or where no engine serves clients itself', () => {
    assert.equal(policyOf({ enabled: false }), undefined);
    assert.equal(policyOf({ enabled: true }, { chat: {} }), undefined);
    assert.equal(policyOf(undefined, {}), undefined);
  });
});
