import assert from 'node:assert/strict';
import yaml from 'js-yaml';
import { buildBundle } from '../../../../components/bundle/bundle.ts';
import { installedObjects } from '../../../../components/fleet/bundle-objects.ts';
import { installerRights } from '../../../../components/fleet/installer-rights.ts';
import type { PolicyRule } from '../../../../packages/kube/policy-rule.ts';
import { sampleBundle } from '../../../support/olm/sample-catalog.ts';

/*
 * What OLM does with a bundle, one request a line, derived from the bundle's files and from what OLM documents that its
 * installers need: https://operator-framework.github.io/operator-controller/howto/derive-service-account/. A right that
 * no request needs is as much a mistake here as a request that no right allows.
 */

const OPERATOR = 'inference-stack-operator-v1';

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly rules?: readonly PolicyRule[];
}

/** Group and resource of every kind of the bundle, as the API server's discovery lists them. */
const DISCOVERY: Readonly<Record<string, string>> = {
  ClusterRole: 'rbac.authorization.k8s.io/clusterroles',
  ClusterRoleBinding: 'rbac.authorization.k8s.io/clusterrolebindings',
  Deployment: 'apps/deployments',
  Role: 'rbac.authorization.k8s.io/roles',
  RoleBinding: 'rbac.authorization.k8s.io/rolebindings',
  Service: '/services',
  ServiceAccount: '/serviceaccounts',
};

function bundleManifests(): readonly Manifest[] {
  const controllerImage = `registry.example/controller@sha256:${'a'.repeat(64)}`;
  const { files } = buildBundle({ version: '1.2.0', crdVersion: 'v1beta1', controllerImage, created: new Date(0) });
  const manifests = [...files]
    .filter(([path]) => path.startsWith('manifests/'))
    .map(([, text]) => yaml.load(text) as Manifest);
  const deployment = { kind: 'Deployment', metadata: { name: OPERATOR } };
  return [...manifests.filter(({ kind }) => kind !== 'ClusterServiceVersion'), deployment];
}

/** `scope group/resource verb name`, where `*` is any name. */
function requests(manifest: Manifest): readonly string[] {
  const { kind } = manifest;
  const resource = DISCOVERY[kind] ?? assert.fail(`${kind} is new in the bundle`);
  const scope = kind.startsWith('Cluster') ? 'cluster' : 'namespace';
  const own = ['get', 'update', 'patch', 'delete'].map(
    (verb) => `${scope} ${resource} ${verb} ${manifest.metadata.name}`,
  );
  const watching = ['list', 'watch'].map((verb) => `cluster ${resource} ${verb} *`);
  // Nobody may grant what they do not have.
  const granted = (manifest.rules ?? []).flatMap((rule) => tuples(scope, rule));
  return [`${scope} ${resource} create *`, ...own, ...watching, ...granted];
}

function tuples(scope: string, rule: PolicyRule): readonly string[] {
  return rule.apiGroups.flatMap((group) =>
    rule.resources.flatMap((resource) =>
      rule.verbs.flatMap((verb) =>
        (rule.resourceNames ?? ['*']).map((name) => `${scope} ${group}/${resource} ${verb} ${name}`),
      ),
    ),
  );
}

describe('an installer', () => {
  const needed = new Set([
    ...bundleManifests().flatMap(requests),
    `cluster olm.operatorframework.io/clusterextensions/finalizers update ${OPERATOR}`,
  ]);
  const rights = installerRights(OPERATOR, installedObjects(sampleBundle('1.2.0')));
  const allowed = new Set([
    ...rights.cluster.flatMap((rule) => tuples('cluster', rule)),
    ...rights.namespace.flatMap((rule) => tuples('namespace', rule)),
  ]);

  it('may make every request that installing, upgrading and removing its bundle takes', () => {
    assert.deepEqual(
      [...needed].filter((request) => !allowed.has(request)),
      [],
    );
  });

  it('may make no other request: without any one of its rights, something would fail', () => {
    assert.deepEqual(
      [...allowed].filter((right) => !needed.has(right)),
      [],
    );
  });
});
