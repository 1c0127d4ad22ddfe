import { readFile } from 'node:fs/promises';
import { parseVersion } from '../../../../components/catalog/version.ts';
import type { CatalogFilter, PackageContent, ServedCatalog } from '../../../../components/catalog/served-catalog.ts';
import type { InstalledBundle } from '../../../../components/catalog/successors.ts';

/** One question to OLM's resolver, and its answer. */
export interface RecordedResolution {
  readonly filter: CatalogFilter;
  readonly catalogs: readonly ServedCatalog[];
  readonly installed?: InstalledBundle;
  readonly recorded: { readonly image: string; readonly version: string } | { readonly error: string };
}

interface Recording {
  readonly contents: Readonly<Record<string, PackageContent>>;
  readonly cases: readonly {
    readonly filter: CatalogFilter;
    readonly catalogs: readonly (Omit<ServedCatalog, 'packages'> & { readonly content: string })[];
    readonly installed?: { readonly name: string; readonly version: string };
    readonly recorded: RecordedResolution['recorded'];
  }[];
}

/** Recorded once, by a program that calls the resolver inside operator-controller and prints what it returns. */
export async function recordedResolutions(): Promise<RecordedResolution[]> {
  const file = new URL('resolve.recorded.json', import.meta.url);
  const { contents, cases } = JSON.parse(await readFile(file, 'utf8')) as Recording;
  return cases.map(({ filter, catalogs, installed, recorded }) => {
    const version = parseVersion(installed?.version ?? '');
    return {
      filter,
      recorded,
      catalogs: catalogs.map(({ content, ...catalog }) => {
        const packages = contents[content];
        return { ...catalog, packages: packages === undefined ? [] : [packages] };
      }),
      ...(installed === undefined || version === undefined ? {} : { installed: { name: installed.name, version } }),
    };
  });
}
