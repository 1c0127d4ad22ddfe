import { GROUP } from '../../packages/api/constants.ts';
import { HEALTH_PORT, METRICS_PORT, operatorLabels } from './operator-manifests.ts';
import { OPERATOR_NAMESPACE, OPERATOR_PULL_SECRET, operatorNames } from '../../packages/api/operator-names.ts';

export interface OperatorDeploymentArgs {
  /** Semantic version without `v`. */
  readonly version: string;
  readonly major: number;
  /** The controller image, by digest. */
  readonly controllerImage: string;
}

/** The Deployment as a CSV states it: name, labels and spec; OLM adds the namespace. */
export function operatorDeployment(args: OperatorDeploymentArgs): object {
  const { operator } = operatorNames(args.major);
  const labels = operatorLabels(args.major);
  return {
    name: operator,
    label: labels,
    spec: {
      // A second pod would only wait for the Lease; if a node fails, the next pod starts within seconds.
      replicas: 1,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels, annotations: { 'kubectl.kubernetes.io/default-container': 'controller' } },
        spec: {
          // The older name of serviceAccountName; the API server treats both the same. operator-sdk refuses a bundle
          // that uses the newer name for a ServiceAccount of its own manifests; OLM v1 needs that manifest, or it would
          // name roles by version.
          serviceAccount: operator,
          securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
          terminationGracePeriodSeconds: 30,
          imagePullSecrets: [{ name: OPERATOR_PULL_SECRET }],
          containers: [controllerContainer(args, operator)],
        },
      },
    },
  };
}

function controllerContainer({ controllerImage, version }: OperatorDeploymentArgs, operator: string): object {
  return {
    name: 'controller',
    image: controllerImage,
    env: [
      { name: 'OPERATOR_VERSION', value: version },
      { name: 'OPERATOR_NAME', value: operator },
      { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
      { name: 'LEASE_NAMESPACE', value: OPERATOR_NAMESPACE },
      // One image serves every API group; the rights in this bundle are for this group.
      { name: 'INFERENCE_STACK_API_GROUP', value: GROUP },
    ],
    ports: [
      { name: 'metrics', containerPort: METRICS_PORT },
      { name: 'health', containerPort: HEALTH_PORT },
    ],
    livenessProbe: { httpGet: { path: '/healthz', port: 'health' }, initialDelaySeconds: 10, periodSeconds: 20 },
    readinessProbe: { httpGet: { path: '/readyz', port: 'health' }, initialDelaySeconds: 1, periodSeconds: 5 },
    resources: { requests: { cpu: '50m', memory: '96Mi' }, limits: { cpu: '1', memory: '384Mi' } },
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    },
  };
}
