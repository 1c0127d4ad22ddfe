import type { Catalog } from '../../../components/catalog/fbc.ts';
import { issueCa, issueLeaf } from '../../../components/certificates/certificate.ts';
import { catalogImageContent } from '../../../components/images/catalog-content.ts';
import { pinImage } from '../../../components/registry/pin-image.ts';
import { formatReference } from '../../../components/registry/reference.ts';
import { RegistryClient } from '../../../components/registry/registry-client.ts';
import { withImage } from './image-server.ts';
import { textEntries, writeTar } from './tar.ts';

/** A published catalog, and the authority of the registry that has it. */
export interface ServedCatalog {
  readonly tag: string;
  readonly digest: string;
  /** PEM of the authority. */
  readonly ca: string;
}

/** Serves a catalog in a registry with TLS while something uses it. */
export async function withServedCatalog(
  catalog: Catalog,
  use: (served: ServedCatalog) => Promise<void>,
): Promise<void> {
  const { files, labels } = catalogImageContent(catalog);
  const ca = await issueCa({ commonName: 'registry authority', days: 1 });
  const leaf = { commonName: 'registry', ipAddresses: ['127.0.0.1'], usages: ['server'], days: 1 } as const;
  await withImage(
    [await writeTar(textEntries(files))],
    async (reference) => {
      const client = new RegistryClient({ ca: ca.cert });
      try {
        const tag = formatReference(reference);
        await use({ tag, digest: await pinImage(client, tag), ca: ca.cert });
      } finally {
        client.close();
      }
    },
    labels,
    await issueLeaf(ca, leaf),
  );
}
