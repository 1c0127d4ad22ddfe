import { Client } from '../packages/kube/client/client.ts';
import { loadConnection, type ConnectionOptions } from '../packages/kube/connect/kubeconfig.ts';
import type { Definition } from './api/crd-compatibility.ts';
import { readLiveDefinitions } from './api/read-live-definitions.ts';
import type { ExistingOlm } from './olm/existing.ts';
import type { NodeFacts } from './olm/placement.ts';
import { readControlPlane } from './olm/read-control-plane.ts';
import { readExistingOlm } from './olm/read-existing.ts';

/** What components have to know of a cluster before they change it. */
export interface Installed {
  /** For `existing` of `OlmV1`; undefined when the cluster has no OLM. */
  readonly olm: ExistingOlm | undefined;
  /** For `controlPlane` of `OlmV1`; undefined where nobody may list nodes. */
  readonly controlPlane: readonly NodeFacts[] | undefined;
  /** For `live` of `InferenceStackApi`. */
  readonly definitions: readonly Definition[];
}

/** Asks a cluster what it has. */
export async function readInstalled(options: Pick<ConnectionOptions, 'kubeconfig' | 'context'>): Promise<Installed> {
  const client = new Client(await loadConnection(options));
  try {
    const [olm, controlPlane, definitions] = await Promise.all([
      readExistingOlm(client),
      readControlPlane(client),
      readLiveDefinitions(client),
    ]);
    return { olm, controlPlane, definitions };
  } finally {
    client.close();
  }
}
