import assert from 'node:assert/strict';
import { OPEN_ENGINES } from '../../../../packages/api/engine.ts';
import type { Application, Gateway } from '../../../../packages/api/types.ts';
import { ApiError } from '../../../../packages/kube/client/api-error.ts';
import { PODS } from '../../../../packages/kube/resource-types.ts';
import type { OpenObject } from '../../../../packages/lib/json.ts';
import { ControlPlane } from '../../../support/kubernetes/control-plane.ts';
import { createNamespace } from '../../../support/operator/stack-api.ts';
import { podOf } from '../../../support/people/stacks.ts';
import { restrictedProblems } from '../../../support/policies/restricted.ts';

const RESTRICTED = 'restricted';
const OPEN = 'open';

const IMAGE = { repository: 'registry.example/own', tag: '1' };
const VARIANTS: Record<string, Application> = {
  'nothing more': {},
  'a model in an image': { model: { image: { reference: 'm:1' } } },
  'a claim for models': { modelCache: { size: '1Gi' } },
  'a GPU, and less memory than by default': { gpu: {}, resources: { limits: { memory: '1Gi', cpu: '250m' } } },
  'another user': { podSecurityContext: { runAsUser: 1_000_650_000, runAsGroup: 0 } },
};

/** What people may ask for, and what the restricted level has against it. */
const CONTEXTS: Record<string, readonly [Gateway & Application, RegExp]> = {
  'the root user of the container': [{ securityContext: { runAsUser: 0 } }, /runAsNonRoot != true/],
  'the root user of the pod': [{ podSecurityContext: { runAsUser: 0 } }, /runAsUser=0/],
  'a capability that is nearly all': [{ securityContext: { capabilities: { add: ['SYS_ADMIN'] } } }, /SYS_ADMIN/],
  'the same by its other name': [{ securityContext: { capabilities: { add: ['CAP_SYS_ADMIN'] } } }, /CAP_SYS_ADMIN/],
  'a folder of the node': [{ volumes: [{ name: 'x', hostPath: { path: '/x' } }] }, /restricted volume types/],
};

describe('the API server about pods that are hardened by default', function () {
  this.timeout(120_000);
  let plane: ControlPlane;

  before(async () => {
    plane = await ControlPlane.start();
    for (const [name, level] of [
      [RESTRICTED, 'restricted'],
      [OPEN, 'privileged'],
    ] as const) {
      await createNamespace(plane.client, name, { 'pod-security.kubernetes.io/enforce': level });
    }
  });
  after(() => plane.stop());

  /** Why a pod is refused in a namespace. */
  async function refusal(namespace: string, spec: OpenObject): Promise<string> {
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'pod', namespace }, spec };
    try {
      await plane.client.apply(PODS, pod, { fieldManager: 'test', dryRun: true });
      return '';
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return error.message;
    }
  }

  function podsOf(chat: Application, gateway: Gateway = {}): OpenObject[] {
    return ['chat', 'gateway'].map((component) => podOf({ gateway, applications: { chat } }, component));
  }

  for (const engine of OPEN_ENGINES) {
    for (const [what, more] of Object.entries(VARIANTS)) {
      it(`is that the restricted level admits ${engine} with ${what}, and its gateway`, async () => {
        const needs: Application = engine === 'openai' ? { image: IMAGE } : { model: { name: 'org/model' } };
        for (const pod of podsOf({ engine, ...needs, ...more })) assert.equal(await refusal(RESTRICTED, pod), '');
      });
    }
  }

  for (const [what, [asked, reason]] of Object.entries(CONTEXTS)) {
    it(`is that people who ask for it get ${what}, where the namespace allows it`, async () => {
      const chat: Application = { engine: 'vllm', model: { name: 'org/model' }, ...asked };
      for (const pod of podsOf(chat, asked)) {
        assert.equal(await refusal(OPEN, pod), '');
        assert.match(await refusal(RESTRICTED, pod), reason);
        // The stand-in that faster tests ask says the same.
        assert.notDeepEqual(restrictedProblems(pod), []);
      }
    });
  }
});
