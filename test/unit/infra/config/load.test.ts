import assert from 'node:assert/strict';
import { ProblemsError } from '../../../../packages/lib/problem.ts';
import { loadSettings } from '../../../../infra/config/load.ts';
import { PROJECT } from '../../../../infra/config/project.ts';
import type { Settings } from '../../../../infra/config/schema.ts';

type Written = Readonly<Record<string, unknown>>;

/** A configuration that is right; each test breaks it in one place. */
const VALID: Written = {
  kubeContext: 'staging',
  operators: [{ major: 1 }],
  catalog: { source: 'image', image: 'registry.example/catalog:1' },
};

function load(written: Written): Settings {
  const given = Object.entries(written).filter(([, value]) => value !== undefined);
  const entries = given.map(([key, value]) => [
    `${PROJECT}:${key}`,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return loadSettings('test', { ...Object.fromEntries(entries), 'pulumi:tags': '{}' } as Record<string, string>);
}

function messages(written: Written): readonly string[] {
  try {
    load(written);
  } catch (error) {
    assert.ok(error instanceof ProblemsError);
    return error.message.split('\n');
  }
  return [];
}

const CATALOG = { source: 'image', image: `registry.example/catalog@sha256:${'0'.repeat(64)}` };
const PINNED = { manifestSha256: '0'.repeat(64) };

const MISTAKES: readonly (readonly [string, Written, string])[] = [
  ['an unknown setting', { operatorz: '1' }, 'operatorz: is not a known setting. Did you mean operators?'],
  [
    'an unknown setting inside a group',
    { api: { protekt: true } },
    'api.protekt: is not a known setting. Did you mean protect?',
  ],
  [
    'a setting by its former name',
    { images: { engine: 'docker' } },
    'images.engine: is not a known setting. It is called images.builder now.',
  ],
  ['a word that is no choice', { guards: 'maybe' }, 'guards: must be one of deny, warn, off (got "maybe")'],
  ['an unknown cluster', { cluster: 'kind' }, 'cluster: must be one of kubeconfig, embedded (got "kind")'],
  ['a flag that is no flag', { demo: 'yes' }, 'demo: must be true or false (got "yes")'],
  ['an empty text', { kubeContext: '' }, 'kubeContext: must be a non-empty text (got "")'],
  ['a group that is a text', { olm: '"1.5.1"' }, 'olm: must be a group of settings (got "1.5.1")'],
  [
    'a group that is no JSON',
    { olm: 'v1.5.1' },
    'olm: must be a group (got "v1.5.1"). Write it as YAML in the environment’s file.',
  ],
  ['a list that is a group', { operators: { major: 1 } }, 'operators: must be a list (got {"major":1})'],
  [
    'a writer without a kind',
    { olm: { writers: ['anna'] } },
    'olm.writers[0]: must be `User <name>`, `Group <name>` or `ServiceAccount <namespace>/<name>` (got "anna")',
  ],
  [
    'writers that are everybody',
    { olm: { writers: ['User anna', 'Group system:authenticated'] } },
    'olm.writers[1]: means everybody (got "Group system:authenticated"). Name those who look after OLM.',
  ],
  [
    'writers whom nothing holds to the list',
    { olm: { writers: [] }, guards: 'off' },
    'olm.writers: has no effect with `guards: off`. Remove it, or set `guards: deny`.',
  ],
  [
    'an operator without a major',
    { operators: [{ channel: 'fast' }] },
    'operators[0].major: is required. The major version. One operator per major: two of one major would fight for the same stacks.',
  ],
  [
    'a major that is a version',
    { operators: [{ major: '1.2' }] },
    'operators[0].major: must be a whole number from 0 to 9999 (got "1.2")',
  ],
  [
    'an unknown channel',
    { operators: [{ major: 1, channel: 'stable-v1' }] },
    'operators[0].channel: must be one of stable, fast, candidate (got "stable-v1")',
  ],
  [
    'two operators of one major',
    { operators: [{ major: 1 }, { major: 1, channel: 'fast' }] },
    'operators[1].major: is also the major of operators[0]; two operators of one major would fight for the same stacks (got 1). Keep one of the two.',
  ],
  [
    'a rollback to a range',
    { operators: [{ major: 1, rollbackTo: '1.x' }] },
    'operators[0].rollbackTo: must be a full version such as 1.2.3 (got "1.x")',
  ],
  [
    'a rollback out of the major',
    { operators: [{ major: 1, rollbackTo: '0.9.0' }] },
    'operators[0].rollbackTo: is not a version of major 1 (got "0.9.0"). A rollback stays inside the major; move stacks to another major by their label.',
  ],
  [
    'a rollback beside a version',
    { operators: [{ major: 1, version: '1.x', rollbackTo: '1.0.0' }] },
    'operators[0].version: cannot be combined with rollbackTo (got "1.x"). Remove version while the rollback lasts.',
  ],
  [
    'an environment that would follow the current context',
    { kubeContext: undefined },
    'kubeContext: is required: an environment must not follow whatever context is current. Run `pulumi config set kubeContext <context>`; `kubectl config get-contexts` lists them.',
  ],
  [
    'a context for the embedded cluster',
    { cluster: 'embedded', kubeContext: 'prod' },
    'kubeContext: cannot be set for the embedded cluster (got "prod"). Remove it, or set `cluster: kubeconfig`.',
  ],
  [
    'a kubeconfig for the embedded cluster',
    { cluster: 'embedded', kubeContext: undefined, kubeconfig: 'a.yaml' },
    'kubeconfig: cannot be set for the embedded cluster (got "a.yaml"). Remove it, or set `cluster: kubeconfig`.',
  ],
  [
    'a served image that is not named',
    { catalog: { source: 'image' } },
    'catalog.image: is required with `source: image`. Name the catalog image, best by digest.',
  ],
  [
    'a catalog image that would not be used',
    { catalog: { source: 'build', image: 'a' }, images: { repository: 'registry.example' } },
    'catalog.image: is not used with `source: build` (got "a"). Remove it, or set `source: image`.',
  ],
  [
    'a key for a catalog that is built',
    { catalog: { verify: 'cosign.pub' }, images: { repository: 'registry.example' } },
    'catalog.verify: is not used with `source: build`, which builds the image (got "cosign.pub"). Remove it, or set `source: image`.',
  ],
  [
    'a signature of a tag',
    { catalog: { source: 'image', image: 'registry.example/catalog:1', verify: 'cosign.pub' } },
    'catalog.image: must be named by digest with `catalog.verify`: a tag may move after the signature was verified (got "registry.example/catalog:1"). Write <repository>@sha256:<digest>.',
  ],
  [
    'a catalog name that Kubernetes refuses',
    { catalog: { source: 'image', image: 'a', name: 'My_Catalog' } },
    'catalog.name: must be a name of lower-case letters, digits and dashes (got "My_Catalog")',
  ],
  [
    'a poll interval of nothing',
    { catalog: { source: 'image', image: 'a', pollMinutes: 0 } },
    'catalog.pollMinutes: must be a whole number from 1 to 1440 (got 0)',
  ],
  [
    'an OLM version with a v',
    { olm: { version: 'v1.5.1' } },
    'olm.version: must be a full version such as 1.11.0 (got "v1.5.1")',
  ],
  [
    'an OLM that is too old',
    { olm: { version: '1.5.0' } },
    'olm.version: is older than 1.5.1, the oldest version that is supported (got "1.5.0"). Use 1.5.1 or newer; the default is 1.11.0.',
  ],
  [
    'an OLM that the embedded cluster has no programs of',
    { kubeContext: undefined, cluster: 'embedded', olm: { version: '1.11.0' } },
    'olm.version: is not 1.10.0, the version that the embedded cluster has programs of (got "1.11.0"). Remove it, or name images of this version in `olm.images`.',
  ],
  [
    'a toleration that Kubernetes does not know',
    { olm: { tolerations: [{ key: 'dedicated', operator: 'Like' }] } },
    'olm.tolerations[0].operator: must be one of Equal, Exists (got "Like")',
  ],
  [
    'an affinity that Kubernetes does not know',
    { olm: { affinity: { nodeAfinity: {} } } },
    'olm.affinity.nodeAfinity: is not a known field. Known here: nodeAffinity, podAffinity, podAntiAffinity.',
  ],
  ['an affinity that is a text', { olm: { affinity: 'system' } }, 'olm.affinity: must be a map (got "system")'],
  [
    'resources that are no texts',
    { olm: { resources: { requests: { cpu: 1 } } } },
    'olm.resources.requests: must be a map from names to texts (got {"cpu":1})',
  ],
  [
    'built images without a place to go',
    { demo: 'true', images: { base: 'registry.example/node' } },
    'images.repository: is required with `demo: true`. Name the registry, and path if any, to push images to.',
  ],
  [
    'a built catalog without a place to go',
    { catalog: {} },
    'images.repository: is required with `catalog.source: build`. Name the registry, and path if any, to push images to.',
  ],
  [
    'built programs without something to build on',
    { catalog: { source: 'checkout' }, images: { repository: 'registry.example' } },
    'images.base: is required with `catalog.source: checkout`. Name an image with Node, best by digest.',
  ],
  [
    'a repository with a scheme',
    { images: { repository: 'https://registry.example' } },
    'images.repository: must be a registry with an optional path, such as registry.example.com/fleet (got "https://registry.example")',
  ],
  [
    'a tag where digests are required',
    { requireDigests: 'true', olm: PINNED },
    'catalog.image: must be named by digest in this environment (got "registry.example/catalog:1"). Write <repository>@sha256:<digest>; `crane digest <image>` prints the digest.',
  ],
  [
    'an OLM whose manifest could be any where digests are required',
    { requireDigests: 'true', catalog: CATALOG },
    'olm.manifestSha256: is required with `requireDigests: true`: the manifest decides what OLM runs, and with which rights. Look at the manifest of this version, and write what `sha256sum` prints for it.',
  ],
  [
    'a user without a password',
    { images: { username: 'robot' } },
    'images.password: is required with `images.username`. Set it with `pulumi config set --secret --path images.password`, or remove images.username.',
  ],
  [
    'a password without a user, without showing it',
    { images: { password: 'hunter2' } },
    'images.username: is required with `images.password`. Set it with `pulumi config set --secret --path images.username`, or remove images.password.',
  ],
  [
    'a password that is no text, without showing it',
    { images: { username: 'robot', password: ['hunter2'] } },
    'images.password: must be a non-empty text',
  ],
  [
    'a group with a password in it that is no JSON, without showing it',
    { images: '{password: hunter2}' },
    'images: must be a group. Write it as YAML in the environment’s file.',
  ],
  ...['hunter2', '{"auths": hunter2}', '{"auths":{"registry.example":"hunter2"}}'].map(
    (pullSecret) =>
      [
        `the pull secret ${pullSecret}, without showing it`,
        { pullSecret },
        'pullSecret: must be a Docker config in JSON with "auths"',
      ] as const,
  ),
];

describe('the configuration of an environment', () => {
  for (const [name, written, message] of MISTAKES) {
    it(`refuses ${name}`, () => {
      assert.deepEqual(messages({ ...VALID, ...written }), [`Pulumi.test.yaml: ${message}`]);
    });
  }

  it('reports every problem at once', () => {
    const written = {
      ...VALID,
      guards: 'no',
      demo: 'perhaps',
      operators: [{ major: -1 }, { major: 2, chanel: 'fast' }],
    };
    assert.equal(messages(written).length, 4);
  });

  it('fills in what may be left out', () => {
    const settings = load(VALID);
    assert.deepEqual(settings.operators, [
      { major: 1, channel: 'stable', version: undefined, rollbackTo: undefined, acceptImpact: undefined },
    ]);
    assert.equal(settings.olm.version, '1.11.0');
    assert.equal(settings.guards, 'deny');
    assert.equal(settings.proxy, undefined);
  });

  it('gives the embedded cluster the OLM that it has programs of, unless another one is asked for', () => {
    const embedded = { ...VALID, cluster: 'embedded', kubeContext: undefined };
    const manifest = '.tools/share/olm-v{version}.yaml';
    assert.equal(load(embedded).olm.version, '1.10.0');
    assert.equal(load({ ...embedded, olm: { manifest } }).olm.version, '1.10.0');
    const images = { catalogd: 'registry.example/c:1', operatorController: 'registry.example/o:1' };
    assert.equal(load({ ...embedded, olm: { version: '1.11.0', images } }).olm.version, '1.11.0');
  });

  it('accepts digests where they are required', () => {
    assert.deepEqual(messages({ ...VALID, requireDigests: 'true', catalog: CATALOG, olm: PINNED }), []);
  });

  it('asks for no checksum of a manifest that is not read', () => {
    const olm = { mode: 'existing' };
    assert.deepEqual(messages({ ...VALID, requireDigests: 'true', catalog: CATALOG, olm }), []);
  });

  it('reads numbers and flags that Pulumi hands over as texts', () => {
    const settings = load({ ...VALID, demo: 'false', operators: [{ major: '3' }] });
    assert.equal(settings.demo, false);
    assert.equal(settings.operators[0]?.major, 3);
  });
});
