import assert from 'node:assert/strict';
import * as pulumi from '@pulumi/pulumi';
import { check, type Checked } from '../../../../components/inference-stack/check.ts';
import { knownValues } from '../../../../components/inference-stack/known-values.ts';
import { formatProblem, type Problem } from '../../../../packages/lib/problem.ts';
import { stackWith } from '../../../support/people/stacks.ts';

const LATER = pulumi.output(pulumi.unknown);

async function checked(spec: unknown, metadata: object = {}): Promise<Checked> {
  const stack = stackWith({});
  const object = { ...stack, metadata: { ...stack.metadata, ...metadata }, spec };
  return check(await knownValues(object), 'InferenceStack team-a/chat');
}

const lines = (problems: readonly Problem[]): readonly string[] => problems.map(formatProblem);

describe('the check of a stack in a program', () => {
  it('finds all problems at once, in the words of `fleet explain`', async () => {
    const { problems } = await checked({ gateway: { replicaCount: -1 }, aplications: {} });
    assert.deepEqual(lines(problems), [
      'InferenceStack team-a/chat: spec.gateway.replicaCount: must be at least 0 (got -1). Use a number from 0 to 1000.',
      'InferenceStack team-a/chat: spec.aplications: is not a field of this API. Did you mean applications?',
    ]);
  });

  it('finds a label that is missing or names no operator', async () => {
    assert.match(lines((await checked({}, { labels: {} })).problems).join(), /operatorVersion: is missing/);
    const { problems } = await checked({}, { labels: { operatorVersion: 'newest' } });
    assert.match(lines(problems).join(), /operatorVersion: is not an operator version \(got "newest"\)/);
  });

  it('finds what works, but perhaps not as its author thinks', async () => {
    const { problems, notices } = await checked({ applications: { chat: {} } });
    assert.deepEqual(problems, []);
    assert.match(
      lines(notices).join(),
      /^InferenceStack team-a\/chat: spec\.applications\.chat\.readerConfig\.modelName: is not set/,
    );
  });

  it('shows no secret', async () => {
    const { problems } = await checked({
      gateway: { image: { repository: 1 }, replicaCount: pulumi.secret('hunter2') },
    });
    const text = lines(problems).join('\n');
    assert.match(text, /spec\.gateway\.replicaCount: must be of type integer \(got "\[secret\]"\)/);
    assert.match(text, /repository: must be of type string \(got 1\)/);
  });

  describe('where something is not known yet', () => {
    const silent: Readonly<Record<string, unknown>> = {
      'a value of any type': { gateway: { replicaCount: LATER, exportPrometheusMetrics: LATER, service: LATER } },
      'a required name': { imagePullSecrets: [{ name: LATER }] },
      'two keys of a list that must differ': { imagePullSecrets: [{ name: LATER }, { name: LATER }] },
      'an entry of a list': { imagePullSecrets: [LATER] },
      'one side of a comparison': { gateway: { drain: { seconds: 100 }, terminationGracePeriodSeconds: LATER } },
      'the source of a volume': {
        applicationTemplate: { modelsVolume: { name: 'models', persistentVolumeClaim: LATER } },
      },
      'the hosts of an Ingress': { gateway: { ingress: { enabled: true, hosts: LATER } } },
      'a choice of several': { applicationTemplate: { rollout: LATER } },
      'the model': { applications: { chat: { readerConfig: { modelName: LATER } } } },
      'the whole spec': LATER,
    };
    for (const [what, spec] of Object.entries(silent)) {
      it(`says nothing about ${what}`, async () => {
        const { problems, notices } = await checked(spec);
        assert.deepEqual([...lines(problems), ...lines(notices)], []);
      });
    }

    it('says nothing about a name or a label that is not known', async () => {
      assert.deepEqual(lines((await checked({}, { name: LATER, labels: { operatorVersion: LATER } })).problems), []);
    });

    it('still finds every problem of what is known', async () => {
      const spec = {
        imagePullSecrets: [{ name: LATER }],
        gateway: { replicaCount: -1, drain: { seconds: 100 }, env: [{ name: 'A', value: LATER }] },
      };
      assert.match(lines((await checked(spec)).problems).join(), /replicaCount: must be at least 0/);
      const rules = { ...spec, gateway: { ...spec.gateway, replicaCount: 1 } };
      assert.match(lines((await checked(rules)).problems).join(), /spec\.gateway: drain\.seconds must not exceed/);
      const { problems } = await checked({
        nameOverride: 'n'.repeat(55),
        gateway: { env: [{ name: 'A', value: LATER }] },
      });
      assert.match(lines(problems).join(), /must have at most 63 characters together/);
    });

    it('still finds the notices that do not hang on it', async () => {
      const { notices } = await checked({ applications: { chat: { env: [{ name: 'TOKEN', value: LATER }] } } });
      assert.match(lines(notices).join(), /modelName: is not set/);
    });
  });
});
