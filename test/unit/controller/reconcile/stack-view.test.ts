import assert from 'node:assert/strict';
import { parseObject } from '../../../../packages/kube/client/bounded-json.ts';
import type { KubernetesObject } from '../../../../packages/kube/object.ts';
import { keepStack, owningStack } from '../../../../controller/src/reconcile/stack-view.ts';
import { stackWith } from '../../../support/people/stacks.ts';

/** A stack as it arrives from the API server. */
const arrived = (spec: object): KubernetesObject =>
  parseObject(Buffer.from(JSON.stringify(stackWith(spec)))) as KubernetesObject;

const OBJECT = { apiVersion: 'v1', kind: 'PersistentVolumeClaim' };
const LABELS = { 'app.kubernetes.io/instance': 'chat' };

describe('a stack in the store', () => {
  it('has its spec', () => {
    const { stack, excess } = keepStack(arrived({ nameOverride: 'x' }));
    assert.deepEqual(stack.spec, { nameOverride: 'x' });
    assert.deepEqual(excess, []);
  });

  it('has its spec also where a number in it is refused', () => {
    const { excess } = keepStack(arrived({ gateway: { config: { seed: 2 ** 60 } } }));
    assert.deepEqual(excess, []);
  });

  const TOO_MUCH: Readonly<Record<string, object>> = {
    'was too much to be read': { gateway: { config: { list: Array.from({ length: 100_000 }, () => 0) } } },
    'would be too much with its template in each application': {
      applicationTemplate: { readerConfig: { text: 'x'.repeat(20_000) } },
      applications: Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`a${String(index)}`, {}])),
    },
  };
  for (const [title, spec] of Object.entries(TOO_MUCH)) {
    it(`has the reason instead of a spec that ${title}`, () => {
      const { stack, excess } = keepStack(arrived(spec));
      assert.deepEqual(stack.spec, {});
      assert.equal(excess.length, 1);
      assert.match(excess[0]?.message ?? '', /^comes to .*; at most .* can be served$/);
    });
  }
});

describe('whose an object is', () => {
  it('is told by its controller, with the kind of the stack', () => {
    const owner = { apiVersion: 'x/v1', kind: 'ModelOrchestra', name: 'chat', uid: '1', controller: true };
    const metadata = { name: 'a', namespace: 'team-a', labels: LABELS, ownerReferences: [owner] };
    assert.equal(owningStack({ ...OBJECT, metadata }), 'ModelOrchestra/team-a/chat');
    const other = { ...metadata, ownerReferences: [{ ...owner, kind: 'HelmRelease' }] };
    assert.equal(owningStack({ ...OBJECT, metadata: other }), undefined);
  });

  it('is told by its label where nobody controls it, for stacks of either kind', () => {
    assert.equal(
      owningStack({ ...OBJECT, metadata: { name: 'a', namespace: 'team-a', labels: LABELS } }),
      'team-a/chat',
    );
  });
});
