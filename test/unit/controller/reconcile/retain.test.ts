import assert from 'node:assert/strict';
import { DELETION_POLICY_ANNOTATION } from '../../../../packages/api/constants.ts';
import { isRetained } from '../../../../controller/src/reconcile/steps/apply.ts';
import { objectsOf } from '../../../support/people/stacks.ts';

describe('what outlives its stack', () => {
  it('is a model cache that is to be retained, and nothing that users can annotate', () => {
    const annotations = { [DELETION_POLICY_ANNOTATION]: 'Retain' };
    const objects = objectsOf({
      serviceAccount: { annotations },
      gateway: { podAnnotations: annotations, ingress: { enabled: true, hosts: [{ host: 'x.example' }], annotations } },
      applications: {
        kept: { modelCache: { size: '1Gi' }, scaling: { enabled: true, annotations } },
        lost: { modelCache: { size: '1Gi', deletionPolicy: 'Delete' } },
      },
    });
    const retained = Object.entries(objects).filter(([, object]) => isRetained(object));
    assert.deepEqual(
      retained.map(([name]) => name),
      ['PersistentVolumeClaim/kept'],
    );
  });
});
