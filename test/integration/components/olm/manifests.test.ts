import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import yaml from 'js-yaml';
import { checkout } from '../../../../packages/lib/checkout.ts';
import { certificateRequests } from '../../../../components/olm/certificate-requests.ts';
import {
  checkManifestVersion,
  extensionDefinition,
  requiresAccount,
} from '../../../../components/olm/extension-api.ts';
import { isDeployment, type ManifestObject } from '../../../../components/olm/manifest.ts';
import { EXPECTED_MANIFESTS, type Parts } from '../../../support/olm/expected-manifests.ts';
import { servedManifest, servedText, servedVersions } from '../../../support/olm/served-olm.ts';

describe('the manifests of OLM that are served', () => {
  it('are those that somebody has looked at', () =>
    assert.deepEqual(servedVersions(), Object.keys(EXPECTED_MANIFESTS)));

  for (const [version, expected] of Object.entries(EXPECTED_MANIFESTS)) {
    it(`have nothing in ${version} that is not known`, () => {
      const objects = servedManifest(version);
      assert.deepEqual(partsOf(objects), expected);
      assert.deepEqual(checkManifestVersion({ objects, source: version }, version), []);
    });
  }

  it('tell by their CRD whether extensions must name an account', () => {
    const required = servedVersions().map((version) => {
      const definition = extensionDefinition(servedManifest(version));
      return definition === undefined ? undefined : requiresAccount(definition);
    });
    assert.deepEqual(required, [true, true, false]);
  });

  it('make the file that production pins, by what upstream does to release it', () => {
    const { config } = yaml.load(readFileSync(join(checkout, 'Pulumi.prod.yaml'), 'utf8')) as {
      config: { 'inference-stack-fleet:olm': { version: string; manifestSha256: string } };
    };
    const { version, manifestSha256 } = config['inference-stack-fleet:olm'];
    const released = servedText(version)
      .replaceAll(':devel', `:v${version}`)
      .replaceAll('cert-git-version', `cert-v${version}`);
    assert.equal(createHash('sha256').update(released).digest('hex'), manifestSha256);
  });
});

interface Any {
  readonly [field: string]: Any;
}

/** What an object has at a path; the test fails with a clear difference where a manifest has another shape. */
function at(object: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((node, key) => (node as Any | undefined)?.[key], object);
}

function list(object: unknown, ...path: readonly string[]): readonly unknown[] {
  return (at(object, ...path) ?? []) as readonly unknown[];
}

/** Kinds whose objects are told apart one by one. */
const TOLD: readonly string[] = [
  'CustomResourceDefinition',
  'Deployment',
  'MutatingWebhookConfiguration',
  'PodDisruptionBudget',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
];

function partsOf(objects: readonly ManifestObject[]): Parts {
  const of = (kind: string): readonly ManifestObject[] => objects.filter((object) => object.kind === kind);
  const deployments = objects.filter(isDeployment);
  const pods = deployments.map(({ spec }) => spec.template.spec);
  const others = objects.filter(({ kind }) => !TOLD.includes(kind)).map(({ kind }) => kind);
  const kinds = [...new Set(others)].sort();
  const extension = at(
    list(extensionDefinition(objects), 'spec', 'versions')[0],
    'schema',
    'openAPIV3Schema',
    'properties',
    'spec',
  );
  const policies = new Map(
    of('ValidatingAdmissionPolicy').map((each) => [each.metadata.name, at(each, 'spec', 'failurePolicy')]),
  );
  const fields = Object.keys(at(extension, 'properties') as object);
  return {
    kinds: Object.fromEntries(kinds.map((kind) => [kind, others.filter((other) => other === kind).length])),
    definitions: of('CustomResourceDefinition').map(({ metadata }) => metadata.name),
    extension: fields.map((field) => `${field}${list(extension, 'required').includes(field) ? '*' : ''}`).sort(),
    certificates: certificateRequests(objects)
      .map(({ secretName }) => secretName)
      .sort(),
    containers: deployments.flatMap(({ metadata, spec }) =>
      spec.template.spec.containers.map(({ name, image }) => `${metadata.name}/${name} ${image}`),
    ),
    arguments: Object.fromEntries(
      deployments.map(({ metadata, spec }) => [
        metadata.name,
        spec.template.spec.containers.flatMap(({ args = [] }) => args).sort(),
      ]),
    ),
    volumes: pods
      .flatMap(({ volumes = [] }) => volumes)
      .map(({ name, secret, ...source }) =>
        [name, ...Object.keys(source), ...(secret === undefined ? [] : ['secret', secret.secretName])].join(' '),
      )
      .sort(),
    nodeSelectors: pods.map(({ nodeSelector }) => nodeSelector),
    tolerations: pods
      .flatMap(({ tolerations = [] }) => tolerations)
      .map(({ key, operator, effect }) => [key, operator, effect].join(' '))
      .sort(),
    affinity: pods.flatMap(({ affinity }) => Object.keys(affinity as object)),
    webhooks: of('MutatingWebhookConfiguration')
      .flatMap((each) => list(each, 'webhooks'))
      .map((each) =>
        [at(each, 'name'), at(each, 'failurePolicy'), at(each, 'clientConfig', 'service', 'name')].join(' '),
      ),
    admission: of('ValidatingAdmissionPolicyBinding').map((each) => {
      const policy = String(at(each, 'spec', 'policyName'));
      return [each.metadata.name, ...list(each, 'spec', 'validationActions'), policy, policies.get(policy)].join(' ');
    }),
    clusterAdmins: of('ClusterRoleBinding')
      .filter((each) => at(each, 'roleRef', 'name') === 'cluster-admin')
      .map((each) => [each.metadata.name, ...list(each, 'subjects').map((subject) => at(subject, 'name'))].join(' ')),
    budgets: of('PodDisruptionBudget').map(
      (each) => `${each.metadata.name} ${String(at(each, 'spec', 'minAvailable'))}`,
    ),
  };
}
