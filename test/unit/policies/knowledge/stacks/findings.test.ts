import assert from 'node:assert/strict';
import type { Facts } from '../../../../../policies/knowledge/facts.ts';
import { ObjectReader, UNKNOWN } from '../../../../../policies/knowledge/objects/object-reader.ts';
import type { Rule } from '../../../../../policies/knowledge/rule.ts';
import { RULES } from '../../../../../policies/rules/index.ts';
import { imagesByDigest } from '../../../../../policies/rules/images-by-digest.ts';
import { registriesAreAllowed } from '../../../../../policies/rules/registries-are-allowed.ts';
import { workloadsAreHardened } from '../../../../../policies/rules/workloads-are-hardened.ts';
import { hardenedStack } from '../../../../support/policies/objects.ts';
import { patch, refused, unjudged } from '../../../../support/policies/program.ts';
import { unknowns, violations, withChanges, type Change } from '../../../../support/policies/support.ts';

const STACK = 'InferenceStack team-a/chat';
const OBJECT_RULES = RULES.filter(({ scope }) => scope === 'object');

/** What the rules about single objects find in a stack that is broken in these places. */
function found(...changes: readonly Change[]): string[] {
  const stack = withChanges(hardenedStack(), ...changes);
  return OBJECT_RULES.flatMap((rule) => violations(rule, [stack]));
}

function unknown(rule: Rule, ...changes: readonly Change[]): string[] {
  return unknowns(rule, [withChanges(hardenedStack(), ...changes)]);
}

describe('the pods of a declared InferenceStack', () => {
  it('are admitted when they comply', () => assert.deepEqual(found(), []));

  const broken: Record<string, readonly [Change, string]> = {
    'a privileged gateway': [
      [['spec', 'gateway', 'securityContext', 'privileged'], true],
      'container chat-inference-stack-gateway should not be privileged: see spec.gateway.securityContext.privileged.',
    ],
    'root in the pods of an application': [
      [['spec', 'applications', 'llama', 'podSecurityContext'], { runAsNonRoot: false }],
      'container chat-inference-stack-llama should run as non-root (runAsNonRoot: true): see spec.applications.llama.podSecurityContext.runAsNonRoot.',
    ],
    'root in a container': [
      [['spec', 'gateway', 'securityContext', 'runAsNonRoot'], false],
      'container chat-inference-stack-gateway should run as non-root (runAsNonRoot: true): see spec.gateway.securityContext.runAsNonRoot.',
    ],
    'models in a folder of the node': [
      [['spec', 'applications', 'llama', 'modelsVolume'], { hostPath: { path: '/' } }],
      'should not mount a folder of its node (volume models: hostPath): see spec.applications.llama.modelsVolume.hostPath.',
    ],
    'a volume that is a folder of the node': [
      [
        ['spec', 'gateway', 'volumes'],
        [
          { name: 'a', emptyDir: {} },
          { name: 'root', hostPath: { path: '/' } },
        ],
      ],
      'should not mount a folder of its node (volume root: hostPath): see spec.gateway.volumes[1].hostPath.',
    ],
    'a tag': [
      [['spec', 'gateway', 'image'], { tag: '1.0' }],
      'should name the image of container chat-inference-stack-gateway by digest, not "tytn/takeoff-pro:1.0": see spec.gateway.image.',
    ],
    'a volume that is an image with a tag': [
      [['spec', 'applications', 'llama', 'modelsVolume'], { image: { reference: 'docker.io/tytn/model:1' } }],
      'should name the image of volume models by digest, not "docker.io/tytn/model:1": see spec.applications.llama.modelsVolume.image.reference.',
    ],
    'no memory limit': [
      [['spec', 'gateway', 'resources', 'limits'], undefined],
      'container chat-inference-stack-gateway should limit its memory (resources.limits.memory): see spec.gateway.resources.limits.memory.',
    ],
  };
  for (const [what, [change, message]] of Object.entries(broken)) {
    it(`may not have ${what}, which names the stack and the field`, () => {
      const separator = message.startsWith('container') ? ':' : '';
      assert.deepEqual(found(change), [`${STACK}${separator} ${message}`]);
    });
  }

  it('are named by the fields of an external engine and of the reader beside it', () => {
    const stack = withChanges(
      hardenedStack(),
      [['spec', 'applications', 'llama', 'engine'], 'external'],
      [['spec', 'applications', 'llama', 'externalEngineImage'], { tag: '1' }],
    );
    const fields = OBJECT_RULES.flatMap((rule) => violations(rule, [stack])).map((found) => found.split(': see ')[1]);
    // What nobody says is the template's to say where several applications share it.
    for (const field of ['sidecarImage', 'sidecar.resources.limits.memory']) {
      assert.ok(fields.includes(`spec.applicationTemplate.${field}.`), `${field} is not among ${fields.join(' ')}`);
    }
    assert.ok(fields.includes('spec.applications.llama.externalEngineImage.'));
    assert.ok(!fields.includes('spec.applications.llama.image.'));
  });

  it('come from allowed registries', () => {
    const [image] = violations(registriesAreAllowed, [
      withChanges(hardenedStack(), [['spec', 'gateway', 'image', 'repository'], 'evil.example/x']),
    ]);
    assert.match(image ?? '', /^InferenceStack team-a\/chat should pull .*: see spec\.gateway\.image\.$/);
  });

  it('name the template, once for all applications, where that is what to change', () => {
    const template = ['spec', 'applicationTemplate'];
    assert.deepEqual(found([[...template, 'securityContext', 'privileged'], true]), [
      `${STACK}: container chat-inference-stack-llama should not be privileged: see spec.applicationTemplate.securityContext.privileged.`,
    ]);
    assert.deepEqual(found([[...template, 'livenessProbe'], undefined]), [
      `${STACK}: container chat-inference-stack-llama should have a liveness probe: see spec.applicationTemplate.livenessProbe.`,
    ]);
  });

  it('name the application, where it is the only one or overrides the template', () => {
    const alone: Change = [['spec', 'applications'], { '7b': {} }];
    assert.deepEqual(found(alone, [['spec', 'applicationTemplate', 'livenessProbe'], undefined]), [
      `${STACK}: container chat-inference-stack-7b should have a liveness probe: see spec.applications["7b"].livenessProbe.`,
    ]);
    const own: Change = [['spec', 'applications', 'llama', 'securityContext'], { privileged: true }];
    assert.equal(found(own).length, 1);
  });

  it('are judged also where workloads of other people are not', () => {
    const change: Change = [['metadata', 'namespace'], 'kube-system'];
    assert.equal(found(change, [['spec', 'gateway', 'securityContext', 'privileged'], true]).length, 1);
  });

  it('are judged under the earlier name of the kind', () => {
    const [first] = found([['kind'], 'ModelOrchestra'], [['spec', 'gateway', 'securityContext', 'privileged'], true]);
    assert.match(first ?? '', /^ModelOrchestra team-a\/chat: /);
  });

  it('of a stack that is not valid are not judged, which is said', () => {
    const change: Change = [['spec', 'gateway', 'replicaCount'], -1];
    assert.deepEqual(found(change), []);
    assert.deepEqual(unknown(workloadsAreHardened, change), [
      `${STACK}: spec.gateway.replicaCount: must be at least 0 (got -1), so what comes of the stack is not judged.`,
    ]);
  });

  describe('of which a part is known only after the update', () => {
    const later = (path: string): string => `${STACK}: ${path} is known only after the update.`;

    it('are judged in all else', () => {
      const digest: Change = [['spec', 'gateway', 'image', 'digest'], UNKNOWN];
      const privileged: Change = [['spec', 'gateway', 'securityContext', 'privileged'], true];
      assert.deepEqual(found(digest), []);
      assert.deepEqual(unknown(imagesByDigest, digest), [later('spec.gateway.image.digest')]);
      assert.equal(found(digest, privileged).length, 1);
    });

    it('are not refused for what the template may say', () => {
      const change: Change = [['spec', 'applicationTemplate', 'resources'], UNKNOWN];
      assert.deepEqual(found(change), []);
      assert.deepEqual(unknown(workloadsAreHardened, change), [later('spec.applicationTemplate.resources')]);
    });

    it('say nothing of values that make no pod', () => {
      const change: Change = [['spec', 'applications', 'llama', 'readerConfig', 'modelName'], UNKNOWN];
      assert.deepEqual([found(change), unknown(workloadsAreHardened, change)], [[], []]);
    });

    it('are not judged where nothing is known', () => {
      assert.deepEqual(unknown(workloadsAreHardened, [['spec'], UNKNOWN]), [later('spec')]);
      assert.deepEqual(found([['metadata', 'name'], UNKNOWN]), []);
    });
  });

  describe('that a patch changes', () => {
    const { apiVersion, kind, metadata } = hardenedStack() as Record<string, unknown>;
    const privileged = patch({
      apiVersion,
      kind,
      metadata,
      spec: { gateway: { securityContext: { privileged: true } } },
    });
    const message = `${STACK}: container chat-inference-stack-gateway should not be privileged: see spec.gateway.securityContext.privileged.`;

    it('are those of the stack in the cluster, with the patch over it', async () => {
      const live = [new ObjectReader(hardenedStack())];
      const facts: Facts = { catalogs: [], cluster: { extensions: [], definitions: [], catalogs: [], patched: live } };
      assert.deepEqual(await refused(workloadsAreHardened, [privileged], facts), [message]);
    });

    it('are judged by what the patch says, where the stack is not known', async () => {
      assert.deepEqual(await refused(workloadsAreHardened, [privileged]), [message]);
      assert.deepEqual(await unjudged(workloadsAreHardened, [privileged]), [
        `${STACK}: the object that it patches is not known, so what the patch leaves out is not judged.`,
      ]);
    });
  });
});
