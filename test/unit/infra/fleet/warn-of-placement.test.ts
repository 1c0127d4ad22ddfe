import assert from 'node:assert/strict';
import type { ChosenPlacement } from '../../../../components/olm/placement.ts';
import { ApiError } from '../../../../packages/kube/client/api-error.ts';
import type { KubernetesObject } from '../../../../packages/kube/object.ts';
import { warnOfPlacement, type PlacementRequest } from '../../../../infra/fleet/warn-of-placement.ts';

const NAME = 'inference-stack-operator-v1';
const PLACEMENT: ChosenPlacement = {
  nodeSelector: { pool: 'system' },
  tolerations: [{ key: 'dedicated' }],
  affinity: {},
};
const PLACED = {
  nodeSelector: { pool: 'system', zone: 'a' },
  tolerations: [{ key: 'other' }, { key: 'dedicated' }],
};

/** The warnings about an operator with such pods, and how many questions the cluster got. */
async function warningsOf(pod: object | undefined, placement: ChosenPlacement): Promise<[readonly string[], number]> {
  const lines: string[] = [];
  let questions = 0;
  const get = (_type: unknown, ref: { namespace?: string; name: string }): Promise<KubernetesObject> => {
    questions += 1;
    if (pod === undefined) return Promise.reject(new ApiError('GET', 404, {}));
    const spec = { template: { spec: pod } };
    return Promise.resolve({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: ref, spec });
  };
  const ask: PlacementRequest['ask'] = (question) => question({ get });
  await warnOfPlacement({
    placement,
    operators: [{ plan: { deployments: [NAME] } }],
    ask,
    warn: (line) => void lines.push(line),
  });
  return [lines, questions];
}

describe('an operator that does not run where it was placed', () => {
  it('is warned of, with the command that places it again', async () => {
    const line = `Deployment inference-stack-operator-system/${NAME} does not run where the settings place it. If this run does not change that, OLM has recreated it: run \`pulumi up --refresh\` to place it again.`;
    assert.deepEqual(await warningsOf({}, PLACEMENT), [[line], 1]);
    assert.deepEqual(await warningsOf({ ...PLACED, tolerations: [] }, PLACEMENT), [[line], 1]);
  });

  it('is not warned of where it is placed, whatever else its pods ask for, nor where it is not there yet', async () => {
    assert.deepEqual(await warningsOf(PLACED, PLACEMENT), [[], 1]);
    assert.deepEqual(await warningsOf(undefined, PLACEMENT), [[], 1]);
  });

  it('is not looked for where nobody says where operators run', async () => {
    assert.deepEqual(await warningsOf({}, { nodeSelector: {} }), [[], 0]);
  });
});
