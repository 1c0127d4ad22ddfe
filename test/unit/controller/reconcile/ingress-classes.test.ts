import assert from 'node:assert/strict';
import type { Ingress } from '../../../../packages/api/types.ts';
import { formatProblem } from '../../../../packages/lib/problem.ts';
import {
  INGRESS_CLASSES,
  IngressClasses,
  ingressClassProblem,
} from '../../../../controller/src/reconcile/ingress-classes.ts';
import type { Client } from '../../../../packages/kube/client/client.ts';
import { silentLogger } from '../../../../packages/kube/process/log.ts';
import type { KubernetesObject } from '../../../../packages/kube/object.ts';

function ingressClass(name: string, annotations: Record<string, string> = {}): KubernetesObject {
  return { apiVersion: 'networking.k8s.io/v1', kind: 'IngressClass', metadata: { name, annotations } };
}

const CLASSES = [ingressClass('nginx'), ingressClass('kong')];
const WITH_DEFAULT = [...CLASSES, ingressClass('main', { 'ingressclass.kubernetes.io/is-default-class': 'true' })];

function problem(ingress: Ingress, classes = CLASSES): string {
  const found = ingressClassProblem({ enabled: true, ...ingress }, classes);
  return found === undefined ? 'none' : formatProblem(found);
}

describe('the class of an Ingress', () => {
  it('has to be one of the cluster', () => {
    assert.equal(problem({ className: 'nginx' }), 'none');
    assert.equal(
      problem({ className: 'ngnix' }),
      'spec.gateway.ingress.className: is not an IngressClass of the cluster (got "ngnix"). It has kong, nginx.',
    );
    assert.equal(
      problem({ className: 'nginx' }, []),
      'spec.gateway.ingress.className: is not an IngressClass of the cluster (got "nginx"). It has none: install an ingress controller.',
    );
  });

  it('may be missing where the cluster has a default', () => {
    assert.equal(problem({}, WITH_DEFAULT), 'none');
    assert.equal(problem({ className: '' }, WITH_DEFAULT), 'none');
    assert.equal(
      problem({}),
      'spec.gateway.ingress.className: is missing, and no IngressClass of the cluster is the default. It has kong, nginx.',
    );
  });

  it('is nobody’s business where it is named by the earlier annotation, or where there is no Ingress', () => {
    assert.equal(problem({ annotations: { 'kubernetes.io/ingress.class': 'anything' } }), 'none');
    assert.equal(problem({ enabled: false, className: 'ngnix' }), 'none');
  });
});

describe('the classes of a cluster', () => {
  it('are asked for every 15 seconds at most, and unknown when they may not be read', async () => {
    const asked: unknown[] = [];
    const client = {
      listAll: (type: unknown) => {
        asked.push(type);
        return asked.length < 2 ? Promise.resolve(CLASSES) : Promise.reject(new Error('forbidden'));
      },
    } as unknown as Client;
    const classes = new IngressClasses(client, silentLogger);
    assert.equal(await classes.list(0), CLASSES);
    assert.equal(await classes.list(14_999), CLASSES);
    assert.deepEqual(asked, [INGRESS_CLASSES]);
    assert.equal(await classes.list(15_000), undefined);
  });
});
