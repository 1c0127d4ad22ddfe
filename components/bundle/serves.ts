import { VERSIONS } from '../../packages/api/constants.ts';
import { textAt } from '../../packages/lib/json.ts';
import { newestRevision } from '../../packages/render/engines/table.ts';
import { ENGINE_TABLES } from '../../packages/render/engines/tables.ts';
import { ONWARDS_REVISIONS } from '../../packages/render/onwards/table.ts';
import { bundleCsv, type FbcBundle } from '../catalog/fbc.ts';

const API_VERSIONS = 'inference-stack-fleet/api-versions';
const REVISIONS = 'inference-stack-fleet/engine-revisions';

/** What a version of the operator serves: versions of the API, and the newest revision of each engine's table and the gateway's. */
export interface Serves {
  readonly apiVersions: readonly string[];
  readonly revisions: Readonly<Record<string, number>>;
}

/** What the operator of this checkout serves. */
export function serves(): Serves {
  const engines = Object.entries(ENGINE_TABLES).map(([engine, table]) => [engine, newestRevision(table)] as const);
  return { apiVersions: VERSIONS, revisions: { ...Object.fromEntries(engines), onwards: ONWARDS_REVISIONS.length } };
}

/** The annotations by which a bundle says so, since its program is not at hand where people compare versions. */
export function servesAnnotations({ apiVersions, revisions } = serves()): Readonly<Record<string, string>> {
  const tables = Object.entries(revisions).map(([name, revision]) => `${name}=${String(revision)}`);
  return { [API_VERSIONS]: apiVersions.join(','), [REVISIONS]: tables.join(',') };
}

/** What a released bundle says; nothing for bundles without the annotations. */
export function servesOf(bundle: FbcBundle): Serves {
  const stated = (name: string): readonly string[] =>
    textAt(bundleCsv(bundle), 'metadata', 'annotations', name)
      .split(',')
      .filter((part) => part !== '');
  const revisions = stated(REVISIONS).map((entry) => entry.split('='));
  return {
    apiVersions: stated(API_VERSIONS),
    revisions: Object.fromEntries(revisions.map(([name = '', revision]) => [name, Number(revision)])),
  };
}
