import { parseManifest, type Manifest } from '../../../components/olm/manifest.ts';
import { OlmV1, type OlmV1Args } from '../../../components/olm/olm-v1.ts';
import { objectName, runProgram, type ProgramResult, type ProviderOutputs } from '../pulumi/pulumi-program.ts';
import { OLM_MANIFEST } from './olm-manifest.ts';

const NOW = new Date('2026-03-01T00:00:00Z');
export const ARGS: OlmV1Args = {
  version: '1.5.1',
  manifest: manifestOf(OLM_MANIFEST),
  certificates: 'generated',
  existing: undefined,
  controlPlane: [],
  now: NOW,
};
export const DEPLOYMENT = 'kubernetes:apps/v1:Deployment';
export const SECRET = 'kubernetes:core/v1:Secret';
export const WEBHOOK = 'kubernetes:admissionregistration.k8s.io/v1:MutatingWebhookConfiguration';

interface MountedSecret {
  readonly secretName: string;
  readonly optional?: boolean;
  readonly items?: readonly { readonly key: string; readonly path: string }[];
}

/** The pod of a controller. */
interface Pod {
  readonly containers: readonly [
    {
      readonly image: string;
      readonly args: readonly string[];
      readonly env?: readonly unknown[];
      readonly resources?: unknown;
    },
  ];
  readonly volumes: readonly { readonly name: string; readonly secret?: MountedSecret }[];
  readonly imagePullSecrets?: readonly unknown[];
  readonly nodeSelector?: unknown;
}

export function manifestOf(text: string): Manifest {
  return { objects: parseManifest(text, 'olm.yaml'), source: 'olm.yaml' };
}

/** What the component registers, with other arguments than `ARGS` where some are given. */
export async function installOlm(
  args: Partial<OlmV1Args> = {},
  kept: ProviderOutputs = () => ({}),
  options: Parameters<typeof runProgram>[2] = {},
): Promise<ProgramResult> {
  return runProgram(
    () => {
      new OlmV1('olm', { ...ARGS, ...args });
    },
    kept,
    options,
  );
}

export function podOf(result: ProgramResult, name: string): Pod {
  const spec = result.find(DEPLOYMENT, name).inputs['spec'] as { template: { spec: Pod } };
  return spec.template.spec;
}

export function secretsOf(result: ProgramResult): readonly string[] {
  return result.resources.filter((resource) => resource.type === SECRET).map(objectName);
}
