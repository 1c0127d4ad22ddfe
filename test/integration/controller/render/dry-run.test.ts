import assert from 'node:assert/strict';
import fc from 'fast-check';
import { FIELD_MANAGER } from '../../../../controller/src/api/constants.ts';
import type { InferenceStack } from '../../../../controller/src/api/types.ts';
import type { KubernetesObject, RolloutStrategy } from '../../../../controller/src/render/model.ts';
import { render } from '../../../../controller/src/render/render.ts';
import { ApiError } from '../../../../controller/src/runtime/api-error.ts';
import type { ResourceType } from '../../../../controller/src/runtime/object.ts';
import { readCases } from '../../../conformance/chart/case.ts';
import { anyStack } from '../../../support/arbitrary-schema.ts';
import { ControlPlane } from '../../../support/control-plane.ts';
import { createNamespace } from '../../../support/crds.ts';
import { contextWith, stackWith } from '../../../support/stacks.ts';

const PLURALS: Readonly<Record<string, string>> = {
  ServiceAccount: 'serviceaccounts',
  PersistentVolumeClaim: 'persistentvolumeclaims',
  ConfigMap: 'configmaps',
  Service: 'services',
  Deployment: 'deployments',
  PodDisruptionBudget: 'poddisruptionbudgets',
  Ingress: 'ingresses',
};

/** Kinds of optional APIs are not in this cluster. */
const WITHOUT_OPTIONAL = { capabilities: { keda: false, serviceMonitor: false } };

describe('a real API server', function () {
  this.timeout(300_000);
  let plane: ControlPlane;
  before(async () => {
    plane = await ControlPlane.start();
    await createNamespace(plane.client, 'team-a');
  });
  after(() => plane.stop());

  it('accepts every object of every set of values that the chart is compared by', async () => {
    const refused: string[] = [];
    for (const [name, { values, release }] of readCases()) {
      if (name.startsWith('generated-')) continue;
      for (const problem of await problemsOf(stackWith(values, release))) refused.push(`${name}: ${problem.message}`);
    }
    assert.deepEqual(refused, []);
  });

  it('accepts whatever the schema admits, or names the field that is wrong', async () => {
    await fc.assert(
      fc.asyncProperty(anyStack, async (stack) => {
        for (const problem of await problemsOf(stack)) assert.match(fieldOf(problem), FIELD_PATH, problem.message);
      }),
      { numRuns: 60 },
    );
  });

  it('changes from each way of replacing pods to each other', async () => {
    const ways: RolloutStrategy[] = ['surge', 'recreate', 'inPlace', 'recreate', 'surge', 'inPlace'];
    for (const way of ways) {
      const { objects } = render(stackWith({ applications: { llama: {} } }), contextWith({ rollouts: { llama: way } }));
      for (const object of objects.filter(({ kind }) => kind === 'Deployment')) {
        await plane.client.apply(typeOf(object), object, { fieldManager: FIELD_MANAGER, force: true });
      }
    }
  });

  /** Everything that a dry run refuses. */
  async function problemsOf(stack: InferenceStack): Promise<ApiError[]> {
    const problems: ApiError[] = [];
    for (const object of render(stack, contextWith(WITHOUT_OPTIONAL)).objects) {
      try {
        await plane.client.apply(typeOf(object), object, { fieldManager: FIELD_MANAGER, force: true, dryRun: true });
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        problems.push(error);
      }
    }
    return problems;
  }
});

/** `spec.template.spec.containers[0]…`, with the dot in front that server-side apply has, or the name of the object. */
const FIELD_PATH = /^\.?(?:spec|metadata|data)\b/;

/** Where the API server says that the problem is: in a cause, or in the message of a body that it could not even read. */
function fieldOf({ causes, message }: ApiError): string {
  const [cause] = causes;
  return cause?.field ?? /\.(?:spec|metadata|data)\b[^\s:]*/.exec(message)?.[0] ?? '';
}

function typeOf({ apiVersion, kind }: KubernetesObject): ResourceType {
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  return { group: group ?? '', version: version ?? '', kind, plural: PLURALS[kind] ?? '', namespaced: true };
}
