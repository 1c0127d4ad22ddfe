import { GROUP, INFERENCE_STACK, OPERATOR_VERSION_LABEL } from '../../packages/api/constants.ts';
import { writeYaml } from '../../packages/lib/write-yaml.ts';
import { apiNeedsAnnotation } from './api-needs.ts';
import type { BundleInput } from './bundle-args.ts';
import { ICON } from './icon.ts';
import { servesAnnotations } from './serves.ts';
import { operatorDeployment } from './operator-deployment.ts';
import { csvName, OPERATOR_NAMESPACE } from '../../packages/api/operator-names.ts';

/** The first version with stable CEL admission policies, which the guards around the controller use. */
export const MIN_KUBE_VERSION = '1.30.0';

const DESCRIPTION = `Serves models on GPU nodes behind one OpenAI-compatible gateway.

An InferenceStack describes a gateway and the applications behind it. The operator keeps their Deployments, Services,
configuration, autoscaling and disruption budgets as it says, restarts exactly the pods whose configuration changed, and
chooses a rollout that the free GPUs of the cluster allow.

One operator serves one major version. A stack chooses its operator by the label \`${OPERATOR_VERSION_LABEL}\`. The
custom resource definition is installed separately, since operators of several majors share it.
`;

/** The ClusterServiceVersion: what OLM shows of the operator, and the Deployment that it runs. */
export function clusterServiceVersion(input: BundleInput): object {
  return {
    apiVersion: 'operators.coreos.com/v1alpha1',
    kind: 'ClusterServiceVersion',
    metadata: {
      name: csvName(input.version),
      namespace: OPERATOR_NAMESPACE,
      annotations: annotations(input),
    },
    spec: {
      displayName: 'Inference Stack Operator',
      description: `${DESCRIPTION}\n\`\`\`yaml\n${writeYaml(example(input))}\`\`\`\n`,
      version: input.version,
      minKubeVersion: MIN_KUBE_VERSION,
      maturity: input.version.includes('-') || input.major === 0 ? 'alpha' : 'stable',
      icon: [ICON],
      keywords: ['inference', 'llm', 'gpu', 'openai'],
      provider: { name: 'Inference Stack Fleet' },
      links: input.source === undefined ? [] : [{ name: 'Source', url: input.source }],
      installModes: ['OwnNamespace', 'SingleNamespace', 'MultiNamespace', 'AllNamespaces'].map((type) => ({
        type,
        supported: type === 'AllNamespaces',
      })),
      // `owned` would make two majors fight for one definition; OLM v1 refuses `required`.
      customresourcedefinitions: {},
      relatedImages: [{ name: 'controller', image: input.controllerImage }],
      install: { strategy: 'deployment', spec: { deployments: [operatorDeployment(input)] } },
    },
  };
}

function annotations(input: BundleInput): Record<string, string> {
  return {
    // Examples may only be of APIs that the bundle provides; ours is in the description.
    'alm-examples': '[]',
    capabilities: 'Deep Insights',
    categories: 'AI/Machine Learning',
    ...apiNeedsAnnotation(input.crdVersion),
    containerImage: input.controllerImage,
    createdAt: input.created.toISOString().replace(/\.\d+Z$/, 'Z'),
    'operatorframework.io/suggested-namespace': OPERATOR_NAMESPACE,
    ...servesAnnotations(),
    ...(input.source === undefined ? {} : { repository: input.source }),
  };
}

function example({ major, crdVersion }: BundleInput): object {
  return {
    apiVersion: `${GROUP}/${crdVersion}`,
    kind: INFERENCE_STACK.kind,
    metadata: { name: 'chat', labels: { [OPERATOR_VERSION_LABEL]: `v${major}` } },
    spec: {
      applications: {
        llama: {
          nodeSelector: { 'nvidia.com/gpu.product': 'NVIDIA-A100-SXM4-80GB' },
          readerConfig: { modelName: 'unsloth/Llama-3.2-1B-Instruct', device: 'cuda' },
        },
      },
    },
  };
}
