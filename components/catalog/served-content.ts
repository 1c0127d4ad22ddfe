import { isObject } from '../../packages/lib/json.ts';
import type { PackageContent } from './served-catalog.ts';

/** The URL of everything that catalogd serves of a catalog, by way of the API server, so that no port has to be open. */
export function contentPath(baseUrl: string): string {
  const { hostname, pathname, port } = new URL(baseUrl);
  const [service = '', namespace = ''] = hostname.split('.');
  return `/api/v1/namespaces/${namespace}/services/https:${service}:${port === '' ? '443' : port}/proxy${pathname}/api/v1/all`;
}

/** Reads what catalogd serves: one JSON document a line, of any number of packages. */
export function parseServedContent(text: string): PackageContent[] {
  const documents = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as unknown)
    .filter(isObject);
  const ofPackage = <T>(schema: string, name: string): T[] =>
    documents.filter((document) => document.schema === schema && document.package === name) as T[];
  return documents
    .flatMap(({ schema, name }) => (schema === 'olm.package' && typeof name === 'string' ? [name] : []))
    .map((name) => {
      const [deprecations] = ofPackage<NonNullable<PackageContent['deprecations']>>('olm.deprecations', name);
      return {
        package: { name },
        channels: ofPackage<PackageContent['channels'][number]>('olm.channel', name),
        bundles: ofPackage<PackageContent['bundles'][number]>('olm.bundle', name),
        ...(deprecations === undefined ? {} : { deprecations }),
      };
    });
}
