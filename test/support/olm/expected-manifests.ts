const OLM = 'olm.operatorframework.io';
const CONTROL_PLANE = { 'kubernetes.io/os': 'linux', 'node-role.kubernetes.io/control-plane': '' };
const LATER_TOLERATIONS = [
  'node-role.kubernetes.io/control-plane Exists NoSchedule',
  'node.kubernetes.io/not-ready Exists NoExecute',
  'node.kubernetes.io/unreachable Exists NoExecute',
];

/** Everything of a manifest that this program changes, relies on, or grants rights by. */
export interface Parts {
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

/** By version, what the manifest had when somebody looked at it. */
export const EXPECTED_MANIFESTS: Readonly<Record<string, Parts>> = {
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
