import { writeYaml } from '../../packages/lib/write-yaml.ts';
import { catalogDocuments } from './fbc.ts';
import type { Catalog } from './fbc.ts';
import { unicodeEscape } from './go-json.ts';
import { mermaid } from './mermaid.ts';

export const OUTPUT_FORMATS = ['json', 'yaml', 'mermaid'] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

/** A catalog as text, in the formats that opm prints. */
export function writeCatalog(catalog: Catalog, format: OutputFormat): string {
  switch (format) {
    case 'json':
      return catalogDocuments(catalog).map(writeJson).join('');
    case 'yaml':
      return catalogDocuments(catalog)
        .map((document) => `---\n${writeYaml(document, { sortKeys: true })}`)
        .join('');
    case 'mermaid':
      return mermaid(catalog);
  }
}

function writeJson(document: unknown): string {
  return `${JSON.stringify(document, null, 4).replace(/[\u2028\u2029]/g, unicodeEscape)}\n`;
}
