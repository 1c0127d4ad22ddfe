import { EXTENSION_GUARD } from '../../../components/guards/extension-guard.ts';
import { policySpec, type Guard } from '../../../components/guards/policy.ts';
import { stackGuard } from '../../../components/guards/stack-guard.ts';

/** Objects that comply with every rule. Each test breaks one in one place. */

export const DIGEST = `sha256:${'a'.repeat(64)}`;

export function extension(major = 2, channel = `stable-v${major}`): object {
  return {
    apiVersion: 'olm.operatorframework.io/v1',
    kind: 'ClusterExtension',
    metadata: { name: `inference-stack-operator-v${major}` },
    spec: {
      namespace: 'inference-stack-operator-system',
      serviceAccount: { name: 'installer' },
      source: {
        sourceType: 'Catalog',
        catalog: {
          packageName: 'inference-stack-operator',
          channels: [channel],
          selector: { matchLabels: { 'olm.operatorframework.io/metadata.name': 'inference-stack-catalog' } },
        },
      },
    },
  };
}

export function catalog(name = 'inference-stack-catalog'): object {
  return {
    apiVersion: 'olm.operatorframework.io/v1',
    kind: 'ClusterCatalog',
    metadata: { name },
    spec: { source: { type: 'Image', image: { ref: `docker.io/tytn/operator-catalog@${DIGEST}` } } },
  };
}

export function deployment(): object {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'controller', namespace: 'inference-stack-operator-system' },
    spec: {
      template: {
        spec: {
          securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
          containers: [
            {
              name: 'manager',
              image: `docker.io/tytn/controller@${DIGEST}`,
              securityContext: {
                allowPrivilegeEscalation: false,
                readOnlyRootFilesystem: true,
                capabilities: { drop: ['ALL'] },
              },
              resources: { requests: { cpu: '50m', memory: '128Mi' }, limits: { memory: '256Mi' } },
              livenessProbe: { httpGet: { path: '/healthz', port: 8081 } },
              readinessProbe: { httpGet: { path: '/readyz', port: 8081 } },
            },
          ],
        },
      },
    },
  };
}

export function clusterRole(): object {
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'installer' },
    rules: [{ apiGroups: ['apps'], resources: ['deployments'], verbs: ['get', 'create'] }],
  };
}

export function binding(role = 'installer'): object {
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: 'installer' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
    subjects: [{ kind: 'ServiceAccount', name: 'installer', namespace: 'inference-stack-operator-system' }],
  };
}

export function stack(label = 'v2'): object {
  return {
    apiVersion: 'models.titanml.co/v1beta1',
    kind: 'InferenceStack',
    metadata: { name: 'chat', namespace: 'team-a', labels: { operatorVersion: label } },
    spec: { applications: { llama: { gpu: { count: 2 }, readerConfig: { tensorParallel: 2, device: 'cuda' } } } },
  };
}

/** The guards of a fleet, each a policy and its binding: those of extensions first, then those of stacks. */
export function guards(majors: readonly number[] = [1, 2]): readonly [object, object, object, object] {
  const admission = 'admissionregistration.k8s.io/v1';
  const policy = (guard: Guard): object => ({
    apiVersion: admission,
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: guard.name },
    spec: structuredClone(policySpec(guard)),
  });
  const binding = ({ name }: Guard): object => ({
    apiVersion: admission,
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name },
    spec: { policyName: name, validationActions: ['Deny'] },
  });
  const stacks = stackGuard(majors);
  return [policy(EXTENSION_GUARD), binding(EXTENSION_GUARD), policy(stacks), binding(stacks)];
}

export function namespace(): object {
  const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'inference-stack-operator-system', labels } };
}

/** A stack whose pods comply as well. */
export function hardenedStack(): object {
  const probe = { tcpSocket: { port: 3000 } };
  const pods = (): object => ({
    image: { digest: DIGEST },
    podSecurityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    },
    resources: { requests: { cpu: '1', memory: '1Gi' }, limits: { memory: '1Gi' } },
    livenessProbe: probe,
    readinessProbe: probe,
  });
  const applications = { llama: { readerConfig: { modelName: 'm' } }, qwen: {} };
  return { ...stack(), spec: { gateway: pods(), applicationTemplate: pods(), applications } };
}

export function definition(): object {
  const schema = {
    openAPIV3Schema: {
      type: 'object',
      properties: { spec: { type: 'object', properties: { a: { type: 'string' } } } },
    },
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'inferencestacks.models.titanml.co' },
    spec: {
      group: 'models.titanml.co',
      scope: 'Namespaced',
      names: { kind: 'InferenceStack', plural: 'inferencestacks' },
      versions: [{ name: 'v1beta1', served: true, storage: true, schema }],
    },
  };
}
