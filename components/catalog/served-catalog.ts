import { selects, type LabelSelector } from '../../packages/kube/label-selector.ts';
import type { ChannelEdges } from './successors.ts';

/** What a ClusterExtension asks for: its `spec.source.catalog`. */
export interface CatalogFilter {
  readonly packageName: string;
  readonly channels?: readonly string[];
  readonly version?: string;
  readonly selector?: LabelSelector;
  readonly upgradeConstraintPolicy?: string;
}

/** One package as a catalog describes it, in the words of file-based catalogs. */
export interface PackageContent {
  readonly package: { readonly name: string };
  readonly channels: readonly ChannelEdges[];
  readonly bundles: readonly BundleContent[];
  readonly deprecations?: {
    readonly entries: readonly { readonly reference: { readonly schema: string; readonly name?: string } }[];
  };
}

export interface BundleContent {
  readonly name: string;
  readonly image: string;
  readonly properties: readonly { readonly type: string; readonly value: unknown }[];
}

/** A ClusterCatalog and what it serves. */
export interface ServedCatalog {
  readonly name: string;
  /** Without the name label, which catalogd always adds. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly priority?: number;
  readonly availabilityMode?: string;
  readonly packages: readonly PackageContent[];
  /** Why the content is unavailable; such a catalog fails every resolution that selects it. */
  readonly failure?: string;
}

/** The label that catalogd sets on every ClusterCatalog, and that selects one by name. */
export const CATALOG_NAME_LABEL = 'olm.operatorframework.io/metadata.name';

/** Whether OLM would look into this catalog for this extension. */
export function isSelected(filter: CatalogFilter, catalog: ServedCatalog): boolean {
  const labels = { ...catalog.labels, [CATALOG_NAME_LABEL]: catalog.name };
  return catalog.availabilityMode !== 'Unavailable' && selects(filter.selector, labels);
}

/** The path of a catalog's whole content at catalogd, through the API server's proxy, so that no port has to be open. */
export function contentPath(baseUrl: string): string {
  const { hostname, pathname, port } = new URL(baseUrl);
  const [service = '', namespace = ''] = hostname.split('.');
  return `/api/v1/namespaces/${namespace}/services/https:${service}:${port === '' ? '443' : port}/proxy${pathname}/api/v1/all`;
}
