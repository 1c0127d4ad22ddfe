import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import * as k8s from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import type { InferenceStackArgs } from '../../../../components/inference-stack/args.ts';
import { InferenceStack } from '../../../../components/inference-stack/inference-stack.ts';
import { knownValues } from '../../../../components/inference-stack/known-values.ts';
import { messageOf } from '../../../../packages/lib/error.ts';
import { withFakeApi } from '../../../support/kubernetes/fake-api.ts';
import { servedStack } from '../../../support/people/served-stack.ts';
import {
  reveal,
  runProgram,
  type ProgramResult,
  type ProviderOutputs,
} from '../../../support/pulumi/pulumi-program.ts';

const TYPE = 'kubernetes:models.titanml.co/v1beta1:InferenceStack';
const PATH = '/apis/models.titanml.co/v1beta1/namespaces/team-a/inferencestacks/chat';
const ARGS: InferenceStackArgs = {
  metadata: { namespace: 'team-a' },
  operatorVersion: 'v1',
  spec: { applications: { chat: { readerConfig: { modelName: 'mistral' } } } },
};

/** What the provider adds to a stack that it has applied. */
const applied: ProviderOutputs = ({ type, inputs }) => {
  const { metadata } = inputs as { metadata?: object };
  return type === TYPE ? { metadata: { ...metadata, uid: 'one' } } : {};
};

/** All outputs of a stack, each as far as it is known. */
async function outputsOf({ name, namespace, ready, url, addresses }: InferenceStack): Promise<unknown> {
  return (await knownValues({ name, namespace, ready, url, addresses })).value;
}

async function preview(program: () => void | Promise<void>): Promise<ProgramResult> {
  return runProgram(program, () => ({}), { preview: true });
}

/** What fails a program, as Pulumi hears of it: a component fails after its constructor. */
async function failures(run: () => Promise<unknown>): Promise<readonly string[]> {
  const event = 'unhandledRejection';
  const listeners = process.listeners(event);
  const errors = new Set<unknown>();
  process.removeAllListeners(event).on(event, (error) => errors.add(error));
  try {
    await run().catch((error: unknown) => errors.add(error));
  } finally {
    process.removeAllListeners(event);
    for (const listener of listeners) process.on(event, listener);
  }
  return [...errors].map(messageOf);
}

describe('InferenceStack', () => {
  it('declares the object under its own name, in the stored version, with the label of its operator', async () => {
    const result = await preview(() => {
      new InferenceStack('chat', { ...ARGS, metadata: { namespace: 'team-a', labels: { team: 'a' } } });
    });
    assert.deepEqual(result.find(TYPE, 'chat').inputs, {
      apiVersion: 'models.titanml.co/v1beta1',
      kind: 'InferenceStack',
      metadata: { name: 'chat', namespace: 'team-a', labels: { team: 'a', operatorVersion: 'v1' } },
      spec: ARGS.spec,
    });
  });

  it('finds its object again in a state that was written with another served version', async () => {
    const result = await preview(() => {
      new InferenceStack('chat', ARGS);
    });
    const { aliases } = result.find(TYPE, 'chat').options;
    assert.deepEqual(aliases, [{ type: 'kubernetes:models.titanml.co/v1alpha1:InferenceStack' }]);
  });

  it('records its arguments with the object only, secrets as such', async () => {
    const env = [{ name: 'TOKEN', value: pulumi.secret('hunter2') }];
    const result = await preview(() => {
      new InferenceStack('chat', { ...ARGS, spec: { gateway: { env } } });
    });
    assert.deepEqual(result.find('inference-stack-fleet:stack:InferenceStack', 'chat').inputs, {});
    const gateway = { env: [{ name: 'TOKEN', value: 'hunter2' }] };
    assert.deepEqual(reveal(result.find(TYPE, 'chat').inputs['spec']), { gateway });
  });

  it('fails a preview with all problems at once, and declares nothing', async () => {
    let declared: readonly unknown[] = [];
    const told = await failures(async () => {
      const spec = { gateway: { replicaCount: -1 } };
      const args = {
        metadata: { labels: { operatorVersion: 'v1' } },
        operatorVersion: 'newest',
        spec,
        waitMinutes: -1,
      };
      const { resources } = await preview(() => {
        new InferenceStack('chat', args);
      });
      declared = resources.filter(({ type }) => type === TYPE);
      // Node tells of a rejection that nobody handles when it has nothing else to do.
      await setImmediate();
    });
    assert.deepEqual(told, [
      [
        'InferenceStack chat: operatorVersion: is also set as metadata.labels.operatorVersion. Use one of them.',
        'InferenceStack chat: waitMinutes: must be 0 or more (got -1)',
        'InferenceStack chat: spec.gateway.replicaCount: must be at least 0 (got -1). Use a number from 0 to 1000.',
      ].join('\n'),
    ]);
    assert.deepEqual(declared, []);
  });

  it('knows its addresses in a preview, and not whether it is ready', async () => {
    const ingress = { enabled: true, hosts: [{ host: 'chat.example' }] };
    await preview(async () => {
      const stack = new InferenceStack('chat', { ...ARGS, spec: { gateway: { ingress } } });
      assert.deepEqual(await outputsOf(stack), {
        name: 'chat',
        namespace: 'team-a',
        ready: pulumi.unknown,
        url: 'http://chat-inference-stack-gateway.team-a.svc',
        addresses: ['http://chat.example'],
      });
    });
  });

  it('does not know an address that hangs on something that is not known', async () => {
    const later = pulumi.output(pulumi.unknown) as unknown as pulumi.Output<string>;
    const declarations: readonly InferenceStackArgs[] = [
      { ...ARGS, spec: { fullnameOverride: later } },
      { ...ARGS, metadata: { name: later, namespace: 'team-a' } },
      { ...ARGS, metadata: { namespace: later } },
    ];
    for (const args of declarations) {
      await preview(async () => {
        const { url } = new InferenceStack('chat', args);
        assert.equal((await knownValues(url)).value, pulumi.unknown);
      });
    }
  });

  it('is waited for on an update, in the cluster of its provider, and tells what the operator says', async () => {
    await withFakeApi({ [PATH]: servedStack() }, async (kubeconfig) => {
      await runProgram(async () => {
        const provider = new k8s.Provider('cluster', { kubeconfig });
        const stack = new InferenceStack('chat', ARGS, { provider });
        assert.deepEqual(await outputsOf(stack), {
          name: 'chat',
          namespace: 'team-a',
          ready: 'The gateway and all applications are ready.',
          url: 'http://chat-inference-stack-gateway.team-a.svc',
          addresses: [],
        });
      }, applied);
    });
  });

  it('holds up what depends on it until it is ready', async () => {
    let looks = 0;
    const answers = {
      get [PATH](): object {
        looks += 1;
        return servedStack({}, { observedGeneration: looks });
      },
    };
    await withFakeApi(answers, async (kubeconfig) => {
      const outputs: ProviderOutputs = (resource) => {
        if (resource.name === 'dependent') assert.equal(looks, 2);
        return applied(resource);
      };
      const result = await runProgram(() => {
        const provider = new k8s.Provider('cluster', { kubeconfig });
        const stack = new InferenceStack('chat', ARGS, { provider });
        new k8s.core.v1.ConfigMap('dependent', {}, { provider, dependsOn: stack });
      }, outputs);
      assert.ok(result.find('kubernetes:core/v1:ConfigMap', 'dependent'));
    });
  });

  it('is not waited for where nobody wants it to be', async () => {
    await runProgram(async () => {
      const { ready } = new InferenceStack('chat', { ...ARGS, waitMinutes: 0 });
      assert.equal((await knownValues(ready)).value, 'It was not waited for.');
    }, applied);
  });
});
