import assert from 'node:assert/strict';
import { main } from '../../../../cli/main.ts';
import { recordingIo } from '../../../support/people/recording-io.ts';

const URN = 'urn:pulumi:prod::inference-stack-fleet::';

function step(op: string, type: string, name: string, more: object = {}): object {
  return { op, urn: `${URN}fleet:Parent$${type}::${name}`, ...more };
}

const PREVIEW = {
  steps: [
    step('same', 'kubernetes:core/v1:Namespace', 'system'),
    step('update', 'kubernetes:olm.operatorframework.io/v1:ClusterExtension', 'operator-v1', {
      detailedDiff: {
        'spec.source.catalog.channels[0]': { kind: 'update' },
        'metadata.labels["a.b/c"]': { kind: 'add' },
      },
      oldState: { inputs: { spec: { source: { catalog: { channels: ['fast-v1'] } } } } },
      newState: {
        inputs: { metadata: { labels: { 'a.b/c': 'x' } }, spec: { source: { catalog: { channels: ['stable-v1'] } } } },
      },
    }),
    step('create', 'kubernetes:apps/v1:Deployment', 'controller'),
    step('create-replacement', 'kubernetes:batch/v1:Job', 'once'),
    step('replace', 'kubernetes:batch/v1:Job', 'once', { diffReasons: ['spec'] }),
    step('delete-replaced', 'kubernetes:batch/v1:Job', 'once'),
  ],
  changeSummary: { same: 1, update: 1, create: 1, replace: 1 },
  diagnostics: [{ severity: 'info', message: 'info: v1: 1.2.0 -> 1.3.1 (stable-v1, replaces it)\n' }],
};

const EVENTS = [
  {
    policyEvent: {
      policyName: 'images-by-digest',
      message: '<{%fg 3%}>Images.\nDeployment a/b uses @latest.<{%reset%}>\n',
      enforcementLevel: 'warning',
      severity: 'high',
    },
  },
  {
    policyEvent: {
      policyName: 'one-operator-per-major',
      message: 'One operator.\nA and B both take major 2.',
      enforcementLevel: 'mandatory',
      severity: 'critical',
    },
  },
  { summaryEvent: { resourceChanges: {} } },
];

/** The comment about a preview that is good. */
async function comment(preview: unknown, events?: readonly unknown[], ...more: string[]): Promise<string> {
  return commentWith(0, preview, events, ...more);
}

/** The comment about a preview that failed or was refused. */
async function badComment(preview: unknown, events?: readonly unknown[], ...more: string[]): Promise<string> {
  return commentWith(1, preview, events, ...more);
}

async function commentWith(
  status: number,
  preview: unknown,
  events?: readonly unknown[],
  ...more: string[]
): Promise<string> {
  const files = {
    'p.json': JSON.stringify(preview),
    'e.jsonl': (events ?? []).map((event) => JSON.stringify(event)).join('\n'),
  };
  const io = recordingIo(files);
  const args = [
    'preview-comment',
    '--environment',
    'prod',
    '--preview',
    'p.json',
    ...(events === undefined ? [] : ['--events', 'e.jsonl']),
    ...more,
  ];
  assert.equal(await main(args, io), status);
  return io.stdout();
}

const IMPACT =
  'Impact of v1, 1.2.0 -> 1.3.1: 2 InferenceStacks: 1 unchanged, 0 change without a restart, 1 replaces pods (team-a/chat: llama, because its arguments change), 0 refused; 2 pods are replaced.';

describe('what becomes of stacks', () => {
  it('stands behind what was refused, and before the diff', async () => {
    const said = { severity: 'info', message: `info: ${IMPACT}\n` };
    const text = await badComment({ ...PREVIEW, diagnostics: [...PREVIEW.diagnostics, said] }, EVENTS);
    const places = ['**What policies found**', '1 replaces pods (team-a/chat', '| kind |', '<summary>Details'].map(
      (part) => text.indexOf(part),
    );
    assert.ok(
      places.every((place) => place >= 0),
      text,
    );
    assert.deepEqual(
      places,
      places.toSorted((one, other) => one - other),
    );
  });

  it('is said not to be known where no cluster was asked', async () => {
    const message =
      'warning: The cluster cannot be reached (refused): this preview assumes a new cluster, and does not know what becomes of InferenceStacks.';
    const text = await comment({ ...PREVIEW, diagnostics: [{ severity: 'warning', message }] });
    assert.match(text, /The stacks that run\*\*\n\n- The cluster cannot be reached/);
  });
});

describe('fleet preview-comment', () => {
  it('puts findings first, then the fleet, then changes by kind, and folds the details', async () => {
    assert.equal(
      await badComment(PREVIEW, EVENTS),
      `<!-- inference-stack-fleet preview of prod -->

### Preview of \`prod\`: refused by 1 policy finding (1 unchanged, 1 to update, 1 to create, 1 to replace)

**What policies found**

- **mandatory**, critical, \`one-operator-per-major\`: A and B both take major 2.
- advisory, high, \`images-by-digest\`: Deployment a/b uses &#64;latest.

**The fleet**

- v1: 1.2.0 -&gt; 1.3.1 (stable-v1, replaces it)

| kind | changes | resources |
| --- | --- | --- |
| \`ClusterExtension\` | 1 update | \`operator-v1\` |
| \`Deployment\` | 1 create | \`controller\` |
| \`Job\` | 1 replace | \`once\` |

<details><summary>Details</summary>

- update \`kubernetes:olm.operatorframework.io/v1:ClusterExtension\` \`operator-v1\`
  - \`spec.source.catalog.channels[0]\`: \`fast-v1\` → \`stable-v1\`
  - \`metadata.labels["a.b/c"]\`: (none) → \`x\`
- create \`kubernetes:apps/v1:Deployment\` \`controller\`
- replace \`kubernetes:batch/v1:Job\` \`once\`
  - \`spec\`

</details>
`,
    );
  });

  it('says so when nothing changes', async () => {
    const text = await comment({ steps: [], changeSummary: {} });
    assert.equal(text, '<!-- inference-stack-fleet preview of prod -->\n\n### Preview of `prod`: no changes\n');
  });

  it('shows errors of the program', async () => {
    const preview = {
      diagnostics: [
        { severity: 'error', message: 'operators[0] cannot be resolved\n' },
        { severity: 'info', message: 'x' },
      ],
    };
    const text = await badComment(preview);
    assert.ok(text.includes('### Preview of `prod`: failed\n'), text);
    assert.ok(text.includes('**What went wrong**\n\n- operators\\[0\\] cannot be resolved\n'), text);
  });

  it('never shows a secret, marked or not', async () => {
    const unmarked = ['kubeconfig', 'apiKey', 'passphrase', 'rootPasswd', 'basicAuth', 'connectionString'];
    const marked = { '4dabf18193072939515e22adb298388d': '1b47061264138c4ac30d75fd1eb44270', ciphertext: 'hush' };
    const inputs = {
      stringData: { user: 'hush' },
      data: { value: 'hush' },
      spec: { env: [{ value: 'hush' }], pullSecret: 'hush', plain: marked, blinded: '[secret]', caBundle: 'hush' },
      // As values of a provider, a chart or the gateway's configuration may be called.
      ...Object.fromEntries(unmarked.map((key) => [key, 'hush'])),
    };
    const paths = [
      'stringData.user',
      'data.value',
      'spec.env[0].value',
      'spec.pullSecret',
      'spec.plain',
      'spec.blinded',
      'spec.caBundle',
      ...unmarked,
    ];
    const detailedDiff = Object.fromEntries(paths.map((path) => [path, { kind: 'update' }]));
    const change = { detailedDiff, oldState: { inputs }, newState: { inputs } };
    const text = await comment({
      changeSummary: { update: 2 },
      steps: [
        step('update', 'kubernetes:apps/v1:Deployment', 'controller', change),
        step('update', 'kubernetes:core/v1:Secret', 'pull', {
          ...change,
          detailedDiff: { 'metadata.name': { kind: 'update' } },
        }),
      ],
    });
    for (const path of paths) assert.ok(text.includes(`\`${path}\``), `${path} is named`);
    assert.ok(!text.includes('hush') && !text.includes('→'), text);
  });

  it('lets no value break out of its place', async () => {
    const name = 'a|b`c</details><script>';
    const text = await badComment({
      steps: [step('create', 'kubernetes:core/v1:ConfigMap', name)],
      diagnostics: [{ severity: 'error', message: '</details><b>@team' }],
    });
    assert.ok(text.includes('- &lt;/details&gt;&lt;b&gt;&#64;team'), text);
    assert.ok(text.includes('`` a\\|b`c</details><script> ``'), text);
  });

  it('fits the details into the room there is, and says what it left out', async () => {
    const steps = Array.from({ length: 500 }, (_, index) =>
      step('create', 'kubernetes:core/v1:ConfigMap', `m${index}`),
    );
    const text = await comment({ steps, changeSummary: { create: 500 } }, undefined, '--limit', '20000');
    assert.ok(text.length <= 20_000 && text.length > 19_000, String(text.length));
    assert.match(text, /- and \d+ more, which do not fit here\n\n<\/details>\n$/);
  });

  it('cuts even the summary when it has to', async () => {
    const findings = Array.from({ length: 300 }, (_, index) => ({
      policyEvent: { policyName: 'p', message: `d\nfinding ${index}`, enforcementLevel: 'mandatory' },
    }));
    const text = await badComment(PREVIEW, findings, '--limit', '1500');
    assert.ok(text.length <= 1500, String(text.length));
    assert.ok(text.endsWith('(cut: the rest does not fit here)\n'), text.slice(-100));
  });

  it('refuses options that it does not know', async () => {
    const refusal = async (...args: readonly string[]): Promise<string> => {
      const io = recordingIo({ 'p.json': '{}' });
      assert.equal(await main(['preview-comment', ...args], io), 2);
      assert.equal(io.stdout(), '');
      return io.stderr();
    };
    const usage = '\nUsage: fleet preview-comment -e NAME --preview FILE [options]\n';
    const needed = ['--environment', 's', '--preview', 'p.json'];
    assert.equal(
      await refusal('--environment', 's'),
      `fleet preview-comment: required option '--preview <file>' not specified${usage}`,
    );
    assert.equal(
      await refusal('--preview', 'p.json'),
      `fleet preview-comment: required option '-e, --environment <name>' not specified${usage}`,
    );
    assert.equal(
      await refusal(...needed, '--limit', '9'),
      `fleet preview-comment: option '--limit <count>' argument '9' is invalid. Use a whole number of at least 1000.${usage}`,
    );
    assert.equal(await refusal(...needed, '--colour'), `fleet preview-comment: unknown option '--colour'${usage}`);
  });
});
