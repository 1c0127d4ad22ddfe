import { mermaid } from '../../../components/catalog/mermaid.ts';
import { renderReleased } from '../../../components/catalog/release.ts';
import { offeredVersions } from '../../../components/catalog/summary.ts';
import type { CatalogState } from '../../../components/catalog/release.ts';
import type { FbcDeprecations } from '../../../components/catalog/fbc.ts';
import { writeTextFiles } from '../../../packages/lib/text-file.ts';
import type { Io } from '../../io.ts';
import { readDeprecations, readState } from './files.ts';

/** The page on which people see what upgrades to what. */
export async function run({ write }: { readonly write?: string | undefined }, io: Io): Promise<number> {
  const page = graphPage(await readState(io), (await readDeprecations(io)).deprecations);
  if (write === undefined) io.out(page);
  else await writeTextFiles([{ path: write, text: page }]);
  return 0;
}

export function graphPage(state: CatalogState, deprecations?: FbcDeprecations): string {
  return `# Upgrade graph

<!-- Written by make catalog-graph. -->

Every released version of the operator, and the upgrades that OLM makes between them. Within a major version the newest
patch of a minor version replaces the newest patch of the one before it, and may be reached from every older one. No
upgrade crosses a major version: that is a change of \`operatorVersion\` on each stack, which people make.

${state.lock.versions.length === 0 ? 'Nothing is released yet.\n' : releasedGraph(state, deprecations)}`;
}

function releasedGraph(state: CatalogState, deprecations?: FbcDeprecations): string {
  const catalog = renderReleased(state, deprecations);
  const rows = offeredVersions(catalog).map(
    ({ channel, version, head }) => `| ${channel} | ${version} | ${head ? 'yes' : ''} |`,
  );
  return `| Channel | Version | Newest |\n| --- | --- | --- |\n${rows.join('\n')}\n\n\`\`\`mermaid\n${mermaid(catalog)}\`\`\`\n`;
}
