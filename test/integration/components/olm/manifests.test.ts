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
import { servedManifest, servedText, servedVersions } from '../../../support/olm/served-olm.ts';

const OLM = 'olm.operatorframework.io';
const CONTROL_PLANE = { 'kubernetes.io/os': 'linux', 'node-role.kubernetes.io/control-plane': '' };
const LATER_TOLERATIONS = [
  'node-role.kubernetes.io/control-plane Exists NoSchedule',
  'node.kubernetes.io/not-ready Exists NoExecute',
  'node.kubernetes.io/unreachable Exists NoExecute',
];

/** Everything of a manifest that this program changes, relies on, or grants rights by. */
interface Parts {
  /** Of objects that are not told apart below, how many of each kind there are. */
  readonly kinds: Readonly<Record<string, number>>;
  readonly definitions: readonly string[];
  /** The fields of an extension's spec, those that are required with a star. */
  readonly extension: readonly string[];
  readonly certificates: readonly string[];
  /** `<Deployment>/<container> <image>` */
  readonly containers: readonly string[];
  readonly arguments: Readonly<Record<string, readonly string[]>>;
  readonly volumes: readonly string[];
  readonly nodeSelectors: readonly unknown[];
  readonly tolerations: readonly string[];
  readonly affinity: readonly string[];
  readonly webhooks: readonly string[];
  /** `<binding> <action> <policy>` */
  readonly admission: readonly string[];
  /** Bindings to cluster-admin. */
  readonly clusterAdmins: readonly string[];
  readonly budgets: readonly string[];
}

const COMMON = {
  definitions: [`clustercatalogs.${OLM}`, `clusterextensions.${OLM}`],
  containers: [
    'catalogd-controller-manager/manager quay.io/operator-framework/catalogd:devel',
    'operator-controller-controller-manager/manager quay.io/operator-framework/operator-controller:devel',
  ],
  affinity: ['nodeAffinity', 'nodeAffinity'],
  webhooks: [`inject-metadata-name.${OLM} Fail catalogd-service`],
};

const LATER = {
  certificates: ['catalogd-service-cert-git-version', 'operator-controller-cert'],
  volumes: [
    'ca-certs secret catalogd-service-cert-git-version',
    'ca-certs secret operator-controller-cert',
    'cache emptyDir',
    'cache emptyDir',
    'catalogserver-certs secret catalogd-service-cert-git-version',
    'operator-controller-certs secret operator-controller-cert',
    'tmp emptyDir',
    'tmp emptyDir',
  ],
  nodeSelectors: [CONTROL_PLANE, CONTROL_PLANE],
  tolerations: [...LATER_TOLERATIONS, ...LATER_TOLERATIONS].sort(),
  budgets: ['catalogd-controller-manager 1', 'operator-controller-controller-manager 1'],
};

const CATALOGD_ARGUMENTS = [
  '--external-address=catalogd-service.olmv1-system.svc',
  '--feature-gates=APIV1MetasHandler=false',
  '--leader-elect',
  '--metrics-bind-address=:7443',
  '--pull-cas-dir=/var/ca-certs',
  '--tls-cert=/var/certs/tls.crt',
  '--tls-key=/var/certs/tls.key',
];

function controllerArguments(...gates: readonly string[]): readonly string[] {
  return [
    '--catalogd-cas-dir=/var/ca-certs',
    ...gates.map((gate) => `--feature-gates=${gate}`),
    '--health-probe-bind-address=:8081',
    '--leader-elect',
    '--metrics-bind-address=:8443',
    '--pull-cas-dir=/var/ca-certs',
    '--tls-cert=/var/certs/tls.crt',
    '--tls-key=/var/certs/tls.key',
  ].sort();
}

const EXPECTED: Readonly<Record<string, Parts>> = {
  '1.5.1': {
    ...COMMON,
    kinds: {
      Certificate: 3,
      ClusterIssuer: 1,
      ClusterRole: 8,
      ClusterRoleBinding: 4,
      Issuer: 1,
      Namespace: 1,
      NetworkPolicy: 3,
      Role: 4,
      RoleBinding: 4,
      Service: 2,
      ServiceAccount: 2,
    },
    extension: ['install', 'namespace*', 'serviceAccount*', 'source*'],
    certificates: ['catalogd-service-cert-git-version', 'olmv1-cert'],
    arguments: {
      'catalogd-controller-manager': [
        '--external-address=catalogd-service.$(POD_NAMESPACE).svc',
        '--leader-elect',
        '--metrics-bind-address=:7443',
        '--pull-cas-dir=/var/ca-certs',
        '--tls-cert=/var/certs/tls.crt',
        '--tls-key=/var/certs/tls.key',
      ],
      'operator-controller-controller-manager': [
        '--catalogd-cas-dir=/var/certs',
        '--health-probe-bind-address=:8081',
        '--leader-elect',
        '--metrics-bind-address=:8443',
        '--pull-cas-dir=/var/certs',
        '--tls-cert=/var/certs/tls.cert',
        '--tls-key=/var/certs/tls.key',
      ],
    },
    volumes: [
      'cache emptyDir',
      'cache emptyDir',
      'catalogserver-certs secret catalogd-service-cert-git-version',
      'olmv1-certificate secret catalogd-service-cert-git-version',
      'olmv1-certificate secret olmv1-cert',
      'tmp emptyDir',
      'tmp emptyDir',
    ],
    nodeSelectors: [undefined, undefined],
    tolerations: [],
    admission: [],
    clusterAdmins: [],
    budgets: [],
  },
  '1.10.0': {
    ...COMMON,
    ...LATER,
    kinds: {
      Certificate: 3,
      ClusterIssuer: 1,
      ClusterRole: 7,
      ClusterRoleBinding: 4,
      Issuer: 1,
      Namespace: 1,
      NetworkPolicy: 3,
      Role: 4,
      RoleBinding: 4,
      Service: 2,
      ServiceAccount: 2,
    },
    extension: ['install', 'namespace*', 'serviceAccount*', 'source*'],
    arguments: {
      'catalogd-controller-manager': CATALOGD_ARGUMENTS,
      'operator-controller-controller-manager': controllerArguments(
        'BoxcutterRuntime=false',
        'BundleReleaseSupport=false',
        'DeploymentConfig=false',
        'HelmChartSupport=false',
        'PreflightPermissions=false',
        'SingleOwnNamespaceInstallSupport=false',
        'SyntheticPermissions=false',
        'WebhookProviderCertManager=true',
        'WebhookProviderOpenshiftServiceCA=false',
      ),
    },
    admission: [],
    clusterAdmins: [],
  },
  '1.11.0': {
    ...COMMON,
    ...LATER,
    kinds: {
      Certificate: 3,
      ClusterIssuer: 1,
      ClusterRole: 6,
      ClusterRoleBinding: 4,
      Issuer: 1,
      Namespace: 1,
      NetworkPolicy: 3,
      Role: 4,
      RoleBinding: 4,
      Service: 2,
      ServiceAccount: 2,
    },
    extension: ['install', 'namespace*', 'serviceAccount', 'source*'],
    arguments: {
      'catalogd-controller-manager': CATALOGD_ARGUMENTS,
      'operator-controller-controller-manager': controllerArguments(
        'BoxcutterRuntime=false',
        'BundleReleaseSupport=false',
        'DeploymentConfig=false',
        'SingleOwnNamespaceInstallSupport=false',
        'WebhookProviderCertManager=true',
        'WebhookProviderOpenshiftServiceCA=false',
      ),
    },
    admission: ['clusterextension-serviceaccount-deprecated Warn clusterextension-serviceaccount-deprecated Ignore'],
    clusterAdmins: ['operator-controller-cluster-admin-rolebinding operator-controller-controller-manager'],
  },
};

describe('the manifests of OLM that are served', () => {
  it('are those that somebody has looked at', () => assert.deepEqual(servedVersions(), Object.keys(EXPECTED)));

  for (const [version, expected] of Object.entries(EXPECTED)) {
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
