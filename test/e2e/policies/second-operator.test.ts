import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { main } from '../../../cli/main.ts';
import { CommandError } from '../../../packages/lib/command.ts';
import type { AuditReport } from '../../../policies/audit/audit.ts';
import { eventually } from '../../support/machine/eventually.ts';
import { recordingIo } from '../../support/people/recording-io.ts';
import { TestFleet } from '../../support/embedded/fleet.ts';
import { cluster } from '../../support/embedded/shared-cluster.ts';

const MINUTES = 60_000;
const NAMESPACE = 'inference-stack-operator-system';
const FIRST = 'inference-stack-operator-v4';
const SECOND = 'second-of-v4';
const CATALOG = 'inference-stack-catalog-dev';
const BINDING = 'validatingadmissionpolicybinding/inference-stack-fleet-extensions';
const COLLISION =
  `ClusterExtension ${FIRST} (resolves to 4.1.0 of catalog ${CATALOG}) and ` +
  `ClusterExtension ${SECOND} (resolves to 4.0.0 of catalog ${CATALOG}) both take major 4 of inference-stack-operator.`;

/** The dev environment follows fast-v4; somebody adds stable-v4 beside it. */
const EXTENSION = {
  apiVersion: 'olm.operatorframework.io/v1',
  kind: 'ClusterExtension',
  metadata: { name: SECOND },
  spec: {
    namespace: NAMESPACE,
    serviceAccount: { name: `${FIRST}-installer` },
    source: {
      sourceType: 'Catalog',
      catalog: {
        packageName: 'inference-stack-operator',
        channels: ['stable-v4'],
        selector: { matchLabels: { 'olm.operatorframework.io/metadata.name': CATALOG } },
      },
    },
  },
};

/** Guard after guard is taken away, and the next one holds. The tests tell one story and build on each other. */
describe('a second operator of one major', function () {
  this.timeout(10 * MINUTES);
  let binding: string;
  let untouched: string;
  const fleet = new TestFleet(cluster);

  const inNamespace = (...args: readonly string[]): Promise<string> =>
    cluster.kubectl(['--namespace', NAMESPACE, ...args]);
  const apply = (object: object): Promise<string> => cluster.kubectl(['apply', '-f', '-'], JSON.stringify(object));

  /** The output of a command that has to fail. */
  async function refused(...args: readonly string[]): Promise<string> {
    try {
      await fleet.make(args, { PULUMI_DEBUG_COMMANDS: 'true' });
    } catch (error) {
      if (error instanceof CommandError) return error.output;
      throw error;
    }
    return assert.fail(`make ${args.join(' ')} succeeded`);
  }

  function audit(format: 'json' | 'table'): string {
    return `ARGS=--kubeconfig ${cluster.layout.kubeconfig} --stage dev -o ${format}`;
  }

  /** Everything by which one could tell that somebody else has worked on the stacks. */
  async function stacks(): Promise<string> {
    const columns = '{.kind} {.metadata.name} {.metadata.uid} {.metadata.generation} {.status.claim.operator}';
    const path = `jsonpath={range .items[*]}${columns}{"\\n"}{end}`;
    return cluster.kubectl(['get', 'inferencestacks,deployments,configmaps,services,pods', '-A', '-o', path]);
  }

  async function holder(): Promise<string> {
    const lease = await inNamespace('get', 'lease', FIRST, '-o', 'jsonpath={.spec.holderIdentity}');
    return lease.slice(0, lease.lastIndexOf('_'));
  }

  before(async () => {
    await fleet.make(['up']);
    binding = await cluster.kubectl(['get', BINDING, '-o', 'json']);
    untouched = await stacks();
  });
  // The fleet itself goes with the cluster, after the last test.
  after(async () => {
    fleet.remove();
    await inNamespace('delete', '--ignore-not-found', 'deployment', SECOND);
    await cluster.kubectl(['delete', '--ignore-not-found', 'clusterextension', SECOND]);
    const { apiVersion, kind, metadata, spec } = JSON.parse(binding) as Record<string, { name: string }>;
    await apply({ apiVersion, kind, metadata: { name: metadata?.name }, spec });
  });

  it('is not there to begin with, say the rules of the pack about the cluster', async () => {
    const text = await fleet.make(['audit', audit('json')]);
    const report = JSON.parse(text) as AuditReport;
    assert.equal(report.mandatory, 0, text);
    assert.ok(report.objects > 10, text);
  });

  it('is not there to begin with, says the pack about the program', async () => {
    const output = await fleet.make(['policy', 'ENV=dev', 'ARGS=--color never']);
    assert.doesNotMatch(output, /\[mandatory\]|No cluster was read|PULUMI_STACK/);
    assert.match(output, /inference-stack-fleet@v\d/);
  });

  it('is refused by the cluster, whoever applies it', async () => {
    await assert.rejects(
      apply(EXTENSION),
      new RegExp(`ClusterExtension ${SECOND} of package inference-stack-operator must be named`),
    );
  });

  it('is refused by OLM when the admission policy is gone, since its objects have the names of the first', async () => {
    await cluster.kubectl(['delete', BINDING]);
    // The API server forgets a binding after a moment.
    await eventually(() => apply(EXTENSION), MINUTES, 500);
    const message = await eventually(async () => {
      const path = 'jsonpath={.status.conditions[?(@.type=="Progressing")].message}';
      const text = await cluster.kubectl(['get', 'clusterextension', SECOND, '-o', path]);
      assert.notEqual(text, '');
      return text;
    }, 2 * MINUTES);
    assert.ok(
      message.endsWith(
        `ServiceAccount '${FIRST}' already exists in namespace '${NAMESPACE}' and cannot be managed by operator-controller`,
      ),
      message,
    );
    assert.equal(
      await inNamespace('get', 'deployments', '-o', 'name', '-l', `olm.operatorframework.io/owner-name=${SECOND}`),
      '',
    );
  });

  it('is found by the preview of the real program, whose comment says so first and shows no secret', async () => {
    const log = fleet.write('events.jsonl', '');
    const output = await refused('policy', 'ENV=dev', `ARGS=--json --event-log ${log}`);
    const preview = output.slice(0, output.lastIndexOf('\n}') + 2);
    const io = recordingIo({ preview, events: await readFile(log, 'utf8') });
    assert.equal(await main(['preview-comment', '-e', 'dev', '--preview', 'preview', '--events', 'events'], io), 1);
    const [, , headline, , , , first] = io.stdout().split('\n');
    assert.match(headline ?? '', /^### Preview of `dev`: refused by 1 policy finding \(\d+ unchanged\)$/);
    assert.equal(first, `- **mandatory**, critical, \`one-operator-per-major\`: ${COLLISION}`);
    const secrets = await cluster.kubectl(['get', 'secrets', '-A', '-o', 'jsonpath={.items[*].data.*}']);
    // Shorter ones, such as the name of a chart, are not secret and may well be in a comment.
    for (const secret of secrets.split(' ').filter(({ length }) => length > 40)) {
      assert.ok(!io.stdout().includes(secret));
      assert.ok(!io.stdout().includes(Buffer.from(secret, 'base64').toString('utf8').trim()));
    }
  });

  it('is found by the audit', async () => {
    assert.ok((await refused('audit', audit('table'))).includes(COLLISION));
  });

  it('stays idle when it is deployed past OLM, says so, and leaves the stacks alone', async () => {
    const first = JSON.parse(await inNamespace('get', 'deployment', FIRST, '-o', 'json')) as OperatorDeployment;
    await apply(copyOf(first));
    await eventually(async () => {
      const events = await inNamespace('get', 'events', '--field-selector', 'reason=OperatorConflict', '-o', 'json');
      const { items } = JSON.parse(events) as { items: { message?: string; note?: string }[] };
      assert.deepEqual(
        items.map(({ message, note }) => message ?? note),
        [
          `${NAMESPACE}/${SECOND} stays idle, because ${NAMESPACE}/${FIRST} serves the same major version. ` +
            'Uninstall one of the two; two operators of one major would reconcile the same stacks.',
        ],
      );
    }, 2 * MINUTES);
    assert.equal(await holder(), `${NAMESPACE}/${FIRST}`);
    const ours = (text: string): string[] => text.split('\n').filter((line) => !line.includes(SECOND));
    assert.deepEqual(ours(await stacks()), ours(untouched));
  });
});

interface OperatorDeployment {
  readonly spec: {
    readonly template: {
      readonly spec: {
        readonly containers: readonly { readonly env: readonly { readonly name: string; readonly value?: string }[] }[];
      };
    };
  };
}

/** The same operator under another name, as somebody would put it beside the first. */
function copyOf({ spec }: OperatorDeployment): object {
  const labels = { app: SECOND };
  const pod = spec.template.spec;
  const containers = pod.containers.map((container) => ({
    ...container,
    env: container.env.map((entry) => (entry.name === 'OPERATOR_NAME' ? { ...entry, value: SECOND } : entry)),
  }));
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: SECOND, namespace: NAMESPACE },
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { ...pod, containers } } },
  };
}
