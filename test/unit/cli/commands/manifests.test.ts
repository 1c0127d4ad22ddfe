import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import yaml from 'js-yaml';
import { main } from '../../../../cli/main.ts';
import type { Catalog } from '../../../../components/catalog/fbc.ts';
import { program } from '../../../../infra/program.ts';
import type { KubernetesObject } from '../../../../packages/kube/object.ts';
import { checkout } from '../../../../packages/lib/checkout.ts';
import { sampleCatalog } from '../../../support/olm/sample-catalog.ts';
import { recordingIo } from '../../../support/people/recording-io.ts';
import { reveal, runProgram } from '../../../support/pulumi/pulumi-program.ts';
import { withServedCatalog, type ServedCatalog } from '../../../support/registry/tls-catalog.ts';

const CATALOG = sampleCatalog(['1.0.0', '1.1.0', '2.0.0']);
const SECRET = '{"auths":{"registry.example":{"auth":"dXNlcjpwYXNz"}}}';
const PATCH_FORCE = 'pulumi.com/patchForce';
const WAIT_FOR = 'pulumi.com/waitFor';

/** All that Pulumi has and YAML has not: how Pulumi applies an object, and what it waits for. */
const DIFFERENCES: Readonly<Record<string, readonly string[]>> = {
  'CustomResourceDefinition inferencestacks.models.titanml.co': [PATCH_FORCE, WAIT_FOR],
  'CustomResourceDefinition modelorchestras.models.titanml.co': [PATCH_FORCE, WAIT_FOR],
  'ClusterRole inferencestacks.models.titanml.co-view': [PATCH_FORCE],
  'ClusterRole inferencestacks.models.titanml.co-edit': [PATCH_FORCE],
  'ClusterRole modelorchestras.models.titanml.co-view': [PATCH_FORCE],
  'ClusterRole modelorchestras.models.titanml.co-edit': [PATCH_FORCE],
  'ClusterCatalog fleet': [WAIT_FOR],
  'ClusterExtension inference-stack-operator-v1': [WAIT_FOR],
  'ClusterExtension inference-stack-operator-v2': [WAIT_FOR],
};

interface Printed {
  readonly code: number;
  readonly objects: readonly KubernetesObject[];
  readonly errors: string;
}

describe('fleet manifests', () => {
  let directory: string;
  let authority = '';

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'manifests-'));
  });
  after(() => rm(directory, { recursive: true }));

  async function withCatalog(catalog: Catalog, use: (served: ServedCatalog) => Promise<void>): Promise<void> {
    await withServedCatalog(catalog, async (served) => {
      authority = served.ca;
      await writeFile(join(directory, 'ca.pem'), authority);
      await use(served);
    });
  }

  async function print(image: string, ...options: readonly string[]): Promise<Printed> {
    const io = recordingIo({ 'ca.pem': authority, 'secret.json': SECRET });
    const code = await main(['manifests', '--catalog-image', image, '--ca', 'ca.pem', ...options], io);
    return { code, objects: yaml.loadAll(io.stdout()) as KubernetesObject[], errors: io.stderr() };
  }

  /** What the Pulumi program registers in a cluster that has OLM, in the words of Kubernetes. */
  async function registered(image: string, settings: Readonly<Record<string, unknown>>): Promise<KubernetesObject[]> {
    const all = {
      kubeconfig: join(directory, 'missing'),
      kubeContext: 'staging',
      registryCa: join(directory, 'ca.pem'),
      catalog: { source: 'image', image, name: 'fleet' },
      ...settings,
    };
    const config = Object.fromEntries(
      Object.entries(all).map(([key, value]) => [
        `inference-stack-fleet:${key}`,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    );
    const silent = (): void => undefined;
    const log = { info: silent, warn: silent };
    const { resources } = await runProgram(async () => {
      await program({ environment: 'test', checkout, config, preview: true, now: new Date(0), log });
    });
    return resources
      .filter(({ type }) => type.startsWith('kubernetes:'))
      .map(({ inputs }) => ('stringData' in inputs ? { ...inputs, stringData: reveal(inputs['stringData']) } : inputs))
      .map((inputs) => inputs as unknown as KubernetesObject);
  }

  const cases: readonly (readonly [string, Readonly<Record<string, unknown>>, readonly string[]])[] = [
    [
      'for an OLM that installs by accounts, with guards',
      {
        olm: { mode: 'existing', version: '1.10.0' },
        operators: [{ major: 1, channel: 'fast' }, { major: 2 }],
      },
      ['--olm-version=1.10.0', '--operator=1:fast', '--operator=2', '--guards'],
    ],
    [
      'for an OLM that installs with rights of its own, with guards that warn',
      {
        olm: { mode: 'existing', version: '1.11.0' },
        operators: [{ major: 1, version: '1.0.x' }],
        guards: 'warn',
      },
      ['--operator=1:stable:1.0.x', '--guards=warn'],
    ],
    [
      'with every setting that adds to it',
      {
        olm: { mode: 'existing', version: '1.10.0' },
        operators: [{ major: 1, rollbackTo: '1.0.0' }, { major: 2 }],
        api: { modelOrchestra: true },
        pullSecret: SECRET,
        guards: 'off',
      },
      [
        ...['--olm-version=1.10.0', '--operator=1', '--operator=2', '--rollback-to=1.0.0', '--model-orchestra'],
        '--pull-secret=secret.json',
      ],
    ],
  ];
  for (const [name, settings, options] of cases) {
    it(`prints what the Pulumi program registers ${name}`, async () => {
      await withCatalog(CATALOG, async ({ digest }) => {
        const { code, objects, errors } = await print(digest, '--catalog-name=fleet', ...options);
        assert.equal(code, 0, errors);
        const wanted = await registered(digest, settings);
        const keys = wanted.map(key);
        assert.deepEqual(objects.map(key).sort(), keys.sort());
        const printed = new Map(objects.map((object) => [key(object), object]));
        for (const object of wanted) {
          const { object: plain, removed } = withoutPulumi(object);
          assert.deepEqual(plain, printed.get(key(object)));
          assert.deepEqual(removed, DIFFERENCES[key(object)] ?? [], key(object));
        }
      });
    });
  }

  it('prints each object after those that it needs', async () => {
    await withCatalog(CATALOG, async ({ digest }) => {
      const { objects } = await print(digest, '--olm-version=1.10.0', '--operator=1', '--guards');
      const kinds = [...new Set(objects.map(({ kind }) => kind))];
      assert.deepEqual(kinds, [
        ...['Namespace', 'CustomResourceDefinition', 'ClusterRole'],
        ...['ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding', 'Secret', 'Lease', 'ServiceAccount'],
        ...['ClusterRoleBinding', 'Role', 'RoleBinding', 'ClusterCatalog', 'ClusterExtension'],
      ]);
      assert.deepEqual(objects.slice(-2).map(key), [
        'ClusterCatalog inference-stack-catalog',
        'ClusterExtension inference-stack-operator-v1',
      ]);
    });
  });

  it('says on standard error which versions OLM will install, from where', async () => {
    await withCatalog(CATALOG, async ({ digest }) => {
      const { errors } = await print(digest, '--operator=1', '--operator=2:fast', '--installed=1.0.0');
      assert.equal(errors, 'v1: 1.0.0 -> 1.1.0 (stable-v1, replaces it)\nv2: 2.0.0 (fast-v2, new)\n');
    });
  });

  it('gives the installer of an upgrade the rights to remove what only the installed version has', async () => {
    const [first, ...others] = CATALOG.bundles;
    assert.ok(first !== undefined);
    const data = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'retired' } };
    const value = { data: Buffer.from(JSON.stringify(data)).toString('base64') };
    const older = { ...first, properties: [...first.properties, { type: 'olm.bundle.object', value }] };
    assert.equal(older.name, 'inference-stack-operator.v1.0.0');
    await withCatalog({ ...CATALOG, bundles: [older, ...others] }, async ({ digest }) => {
      const rights = async (...options: readonly string[]): Promise<string> => {
        const { objects } = await print(digest, '--olm-version=1.10.0', '--operator=1', ...options);
        return JSON.stringify(objects.find(({ kind }) => kind === 'Role'));
      };
      assert.doesNotMatch(await rights(), /retired/);
      assert.match(await rights('--installed=v1.0.0'), /"resourceNames":\["retired"\]/);
    });
  });

  it('prints nothing where an operator cannot be resolved, has another beside it, or its bundle is unknown', async () => {
    const bundles = CATALOG.bundles.map((bundle) => ({
      ...bundle,
      properties: bundle.properties.filter(({ type }) => type !== 'olm.bundle.object'),
    }));
    await withCatalog({ ...CATALOG, bundles }, async ({ digest }) => {
      const refusals: readonly (readonly [readonly string[], RegExp])[] = [
        [['--operator=3'], /^operators\[0\]: cannot be resolved: .* the catalog has v1, v2\.\n$/],
        [['--operator=1', '--operator=1:fast'], /^operators\[1\]\.major: is also the major of operators\[0\]/m],
        [['--operator=1', '--olm-version=1.10.0'], /olm\.bundle\.object: is missing in the catalog/],
      ];
      for (const [options, message] of refusals) {
        const { code, objects, errors } = await print(digest, ...options);
        assert.deepEqual([code, objects], [1, []]);
        assert.match(errors, message);
      }
    });
  });

  it('refuses what it cannot stand for before it asks any registry', async () => {
    const digest = `registry.invalid/catalog@sha256:${'a'.repeat(64)}`;
    const refusals: readonly (readonly [string, readonly string[], RegExp])[] = [
      [
        'registry.invalid/catalog:1',
        [],
        /^--catalog-image: is not named by .*digest alone.* Write HOST\/PATH@sha256:DIGEST;/,
      ],
      [`registry.invalid/catalog:1@${digest.split('@')[1] ?? ''}`, [], /^--catalog-image: /],
      [`catalog@${digest.split('@')[1] ?? ''}`, [], /^--catalog-image: /],
      [digest, ['--olm-version=1.4.0'], /^--olm-version: is older than 1\.5\.1/],
      [
        digest,
        ['--installed=2.0.0'],
        /^--installed: is of major 2, for which there is no --operator .*Add --operator 2/,
      ],
      [digest, ['--rollback-to=2.0.0'], /^--rollback-to: is of major 2/],
      [digest, ['--pull-secret=ca.pem'], /^ca\.pem: --pull-secret: is not a Docker config/],
    ];
    for (const [image, options, message] of refusals) {
      const { code, objects, errors } = await print(image, '--operator=1', ...options);
      assert.deepEqual([code, objects], [1, []]);
      assert.match(errors, message);
    }
  });

  it('does not take words for operators, versions, names and guards that are none', async () => {
    const image = `registry.invalid/catalog@sha256:${'a'.repeat(64)}`;
    const wrong = ['--operator=one', '--operator=1:slow', '--operator=1:fast:', '--installed=1.0', '--rollback-to=x'];
    for (const option of [...wrong, '--catalog-name=A_b', '--olm-version=1.11', '--guards=never']) {
      const { code, errors } = await print(image, '--operator=1', option);
      assert.equal(code, 2, option);
      assert.match(errors, /^fleet manifests: option .* is invalid\. /);
    }
  });
});

function key({ kind, metadata }: KubernetesObject): string {
  return `${kind} ${metadata.name}`;
}

/** An object without the annotations that only Pulumi reads, and their names. */
function withoutPulumi(object: KubernetesObject): {
  readonly object: KubernetesObject;
  readonly removed: readonly string[];
} {
  const { annotations = {}, ...metadata } = object.metadata;
  const isOfPulumi = ([name]: readonly [string, string]): boolean => name.startsWith('pulumi.com/');
  const all = Object.entries(annotations);
  const kept = Object.fromEntries(all.filter((entry) => !isOfPulumi(entry)));
  const removed = all.filter(isOfPulumi).map(([name]) => name);
  const rest = Object.keys(kept).length === 0 ? metadata : { ...metadata, annotations: kept };
  return { object: { ...object, metadata: rest }, removed: removed.sort() };
}
