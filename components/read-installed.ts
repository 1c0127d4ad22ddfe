import { Client } from '../packages/kube/client/client.ts';
import { loadConnection, type ConnectionOptions } from '../packages/kube/connect/kubeconfig.ts';
import type { Definition } from './api/crd-compatibility.ts';
import { readLiveDefinitions } from './api/read-live-definitions.ts';
import type { ExistingOlm } from './olm/existing.ts';
import { readExistingOlm } from './olm/read-existing.ts';

/** What components have to know of a cluster before they change it. */
export interface Installed {
  /** For `existing` of `OlmV1`; undefined when the cluster has no OLM. */
  readonly olm: ExistingOlm | undefined;
  /** For `live` of `InferenceStackApi`. */
  readonly definitions: readonly Definition[];
}

/** Asks a cluster what it has. */
export async function readInstalled(options: Pick<ConnectionOptions, 'kubeconfig' | 'context'>): Promise<Installed> {
  const client = new Client(await loadConnection(options));
  try {
    const [olm, definitions] = await Promise.all([readExistingOlm(client), readLiveDefinitions(client)]);
    return { olm, definitions };
  } finally {
    client.close();
  }
}
