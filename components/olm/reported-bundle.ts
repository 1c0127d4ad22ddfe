import type { KubernetesObject } from '../../packages/kube/object.ts';

interface ExtensionStatus {
  readonly status?: { readonly install?: { readonly bundle?: ReportedBundle } };
}

/** The bundle that OLM reports as installed by an extension. */
export interface ReportedBundle {
  readonly name: string;
  readonly version: string;
}

export function reportedBundle(extension: KubernetesObject): ReportedBundle | undefined {
  return (extension as ExtensionStatus).status?.install?.bundle;
}
