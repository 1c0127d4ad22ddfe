import assert from 'node:assert/strict';
import { fleetReport, type FleetObjects } from '../../../../cli/status/report.ts';
import { issueCa } from '../../../../components/certificates/certificate.ts';
import type { KubernetesObject } from '../../../../packages/kube/object.ts';

const NOW = new Date('2026-06-01T00:00:00Z');

function object(kind: string, metadata: KubernetesObject['metadata'], rest: object): KubernetesObject {
  return { apiVersion: 'v1', kind, metadata, ...rest };
}

function conditions(...entries: readonly (readonly [string, string, string])[]): object {
  return {
    conditions: entries.map(([type, status, reason]) => ({ type, status, reason, message: `${reason} it is` })),
  };
}

const EXTENSION = object(
  'ClusterExtension',
  { name: 'inference-stack-operator-v1' },
  {
    spec: { source: { catalog: { packageName: 'inference-stack-operator', channels: ['stable-v1'] } } },
    status: {
      install: { bundle: { version: '1.2.0' } },
      ...conditions(['Installed', 'True', 'Succeeded'], ['Progressing', 'True', 'Succeeded']),
    },
  },
);

const STACK = object(
  'InferenceStack',
  { name: 'chat', namespace: 'team-a', labels: { operatorVersion: 'v1' } },
  {
    status: {
      ...conditions(['Ready', 'True', 'Ready']),
      claim: { major: 1, version: '1.2.0', operator: 'x' },
      operatorVersion: '1.2.0',
      applicationsReady: '2/2',
      gpus: 2,
      url: 'http://chat.team-a',
    },
  },
);

const HEALTHY: FleetObjects = {
  catalogs: [
    object(
      'ClusterCatalog',
      { name: 'catalog' },
      { spec: { source: { image: { ref: 'r/c@sha256:1' } } }, status: conditions(['Serving', 'True', 'Available']) },
    ),
  ],
  extensions: [EXTENSION],
  stacks: [STACK],
  nodes: [
    object(
      'Node',
      { name: 'gpu-a', labels: { 'nvidia.com/gpu.product': 'A100' } },
      { status: { allocatable: { 'nvidia.com/gpu': '4' } } },
    ),
    object('Node', { name: 'cpu-a' }, { status: { allocatable: { cpu: '4' } } }),
  ],
  pods: ['Running', 'Succeeded'].map((phase) =>
    object(
      'Pod',
      { name: `pod-${phase}`, namespace: 'team-a' },
      {
        spec: { nodeName: 'gpu-a', containers: [{ resources: { limits: { 'nvidia.com/gpu': '2' } } }, {}] },
        status: { phase },
      },
    ),
  ),
  webhooks: [],
};

describe('the report of a fleet', () => {
  it('shows catalogs, operators, stacks and GPUs', () => {
    const { text, healthy } = fleetReport(HEALTHY, NOW);
    assert.equal(
      text,
      `CATALOG  SERVING  IMAGE
catalog  True     r/c@sha256:1

OPERATOR                     CHANNEL    VERSION  INSTALLED  PROGRESSING
inference-stack-operator-v1  stable-v1  1.2.0    True       Succeeded

STACK        ASKS FOR  SERVED BY  READY  APPLICATIONS  GPUS  URL
team-a/chat  v1        1.2.0      True   2/2           2     http://chat.team-a

NODE   GPU   TOTAL  USED  FREE
gpu-a  A100  4      2     2
`,
    );
    assert.equal(healthy, true);
  });

  it('counts GPUs as operators do: also those of init containers and sidecars, and not those of pods that have ended', () => {
    const gpus = (count: string): object => ({ resources: { limits: { 'nvidia.com/gpu': count } } });
    const initContainers = [{ ...gpus('1'), restartPolicy: 'Always' }, gpus('2')];
    const spec = { nodeName: 'gpu-a', containers: [gpus('1')], initContainers };
    const pods = ['Running', 'Succeeded', 'Failed'].map((phase) =>
      object('Pod', { name: phase.toLowerCase(), namespace: 'team-a' }, { spec, status: { phase } }),
    );
    assert.match(fleetReport({ ...HEALTHY, pods }, NOW).text, /\ngpu-a {2}A100 {2}4 {6}3 {5}1\n/);
  });

  it('leaves out extensions of other packages', () => {
    const other = object(
      'ClusterExtension',
      { name: 'other' },
      { spec: { source: { catalog: { packageName: 'x' } } } },
    );
    assert.equal(fleetReport({ ...HEALTHY, extensions: [EXTENSION, other] }, NOW).text, fleetReport(HEALTHY, NOW).text);
  });

  it('shows who served a stack that nobody serves any more, and what to do', () => {
    const { text, healthy } = fleetReport({ ...HEALTHY, extensions: [] }, NOW);
    assert.match(text, /\nteam-a\/chat {2}v1 {8}- \(was 1\.2\.0\) {2}True /);
    assert.match(
      text,
      /Needs attention:\n {2}InferenceStack team-a\/chat: there is no operator of major 1: `make up` installs those that the environment lists\n$/,
    );
    assert.equal(healthy, false);
  });

  it('finds the operator of a stack by its version where a person has named it', () => {
    const extension = { ...EXTENSION, metadata: { name: 'by-hand' } };
    const { text, healthy } = fleetReport({ ...HEALTHY, extensions: [extension] }, NOW);
    assert.match(text, /\nteam-a\/chat {2}v1 {8}1\.2\.0 /);
    assert.equal(healthy, true);
  });

  it('tells stacks of the earlier kind from those of the present one', () => {
    const earlier = { ...STACK, kind: 'ModelOrchestra', status: conditions(['Ready', 'False', 'NoGpu']) };
    const { text } = fleetReport({ ...HEALTHY, stacks: [STACK, earlier] }, NOW);
    assert.match(text, /\nteam-a\/chat {17}v1 .*\nModelOrchestra team-a\/chat {2}v1 /);
    assert.match(text, /Needs attention:\n {2}ModelOrchestra team-a\/chat: Ready: NoGpu: NoGpu it is\n$/);
  });

  it('tells a label that no operator could serve from an operator that is not there', () => {
    const labelled = (labels: Record<string, string>): string =>
      fleetReport({ ...HEALTHY, stacks: [{ ...STACK, metadata: { ...STACK.metadata, labels } }] }, NOW).text;
    assert.match(labelled({ operatorVersion: 'v7' }), / there is no operator of major 7: /);
    assert.match(
      labelled({}),
      /\n {2}InferenceStack team-a\/chat: metadata\.labels\.operatorVersion: is missing, so no operator serves this stack\. /,
    );
    assert.match(labelled({ operatorVersion: 'latest' }), /: is not an operator version \(got "latest"\)\. /);
  });

  it('takes an operator that OLM could not install for none, and leaves the reason to the operator', () => {
    const extension = { ...EXTENSION, status: conditions(['Installed', 'False', 'Failed']) };
    const { text } = fleetReport({ ...HEALTHY, extensions: [extension] }, NOW);
    assert.match(text, / - \(was 1\.2\.0\) /);
    assert.match(
      text,
      /Needs attention:\n {2}ClusterExtension inference-stack-operator-v1: Installed: Failed: Failed it is\n$/,
    );
  });

  it('says why a stack is not ready and why an operator makes no progress', () => {
    const stack = { ...STACK, status: conditions(['Ready', 'False', 'NoGpu']) };
    const extension = {
      ...EXTENSION,
      status: conditions(['Installed', 'True', 'Succeeded'], ['Progressing', 'True', 'Retrying']),
    };
    const { text } = fleetReport({ ...HEALTHY, stacks: [stack], extensions: [extension] }, NOW);
    assert.match(
      text,
      /Needs attention:\n {2}ClusterExtension inference-stack-operator-v1: Progressing: Retrying: Retrying it is\n {2}InferenceStack team-a\/chat: Ready: NoGpu: NoGpu it is\n$/,
    );
  });

  it('says why to leave a version that was withdrawn, and for what', () => {
    const deprecated = (status: string): string => {
      const { conditions: all } = conditions(
        ['Installed', 'True', 'Succeeded'],
        ['Progressing', 'True', 'Succeeded'],
      ) as { conditions: readonly object[] };
      // OLM joins what it has to say with line breaks.
      const message = '\nWithdrawn: Slow. Way out: upgrade to 1.2.1.\nUse v2.';
      const extension = {
        ...EXTENSION,
        status: {
          install: { bundle: { version: '1.2.0' } },
          conditions: [...all, { type: 'Deprecated', status, reason: 'Deprecated', message }],
        },
      };
      return fleetReport({ ...HEALTHY, extensions: [extension] }, NOW).text;
    };
    assert.match(
      deprecated('True'),
      /Needs attention:\n {2}ClusterExtension inference-stack-operator-v1: Deprecated: Withdrawn: Slow\. Way out: upgrade to 1\.2\.1\. Use v2\.\n$/,
    );
    for (const status of ['False', 'Unknown']) assert.ok(!deprecated(status).includes('attention'));
  });

  it('shows the days that OLM’s certificates have left, and warns well before they expire', async () => {
    const webhooks = async (days: number): Promise<KubernetesObject[]> => {
      const { cert } = await issueCa({ commonName: 'ca', days, now: NOW });
      const caBundle = Buffer.from(cert).toString('base64');
      return [
        object('MutatingWebhookConfiguration', { name: 'catalogd' }, { webhooks: [{ clientConfig: { caBundle } }] }),
      ];
    };
    const fresh = fleetReport({ ...HEALTHY, webhooks: await webhooks(300) }, NOW);
    assert.match(fresh.text, /\nCERTIFICATES {2}DAYS LEFT\nOLM {11}300\n$/);
    assert.equal(fresh.healthy, true);
    assert.match(
      fleetReport({ ...HEALTHY, webhooks: await webhooks(90) }, NOW).text,
      /OLM’s certificates expire in 90 days: run `pulumi up`, which renews them\n$/,
    );
  });

  it('leaves out what may not be read, says so, and concludes nothing from it', () => {
    const { text, healthy } = fleetReport({ ...HEALTHY, extensions: undefined, pods: undefined }, NOW);
    assert.equal(
      text,
      `CATALOG  SERVING  IMAGE
catalog  True     r/c@sha256:1

STACK        ASKS FOR  SERVED BY  READY  APPLICATIONS  GPUS  URL
team-a/chat  v1        1.2.0      True   2/2           2     http://chat.team-a

Not shown, as you may not list them: ClusterExtensions, Pods.
`,
    );
    assert.equal(healthy, true);
  });

  it('is there for programs as well, with the names of columns', () => {
    const { tables, warnings, left } = fleetReport({ ...HEALTHY, nodes: undefined }, NOW);
    assert.deepEqual(Object.keys(tables), ['catalogs', 'operators', 'stacks']);
    assert.deepEqual(tables['stacks'], [
      {
        stack: 'team-a/chat',
        asksFor: 'v1',
        servedBy: '1.2.0',
        ready: 'True',
        applications: '2/2',
        gpus: '2',
        url: 'http://chat.team-a',
      },
    ]);
    assert.deepEqual([warnings, left], [[], ['Nodes']]);
  });
});
