import type { OperatorNeeds } from '../../components/api/unmet-needs.ts';
import { apiNeedsOf } from '../../components/bundle/api-needs.ts';
import type { FbcBundle } from '../../components/catalog/fbc.ts';
import { planFleet, type OperatorPlan } from '../../components/fleet/plan.ts';
import { prepareCatalog, type CatalogRequest, type PreparedCatalog } from '../catalog/prepare-catalog.ts';
import type { LiveState } from '../cluster/live-state.ts';

/** What will become of the operators, decided before anything is registered. */
export interface PlannedOperators {
  readonly catalog: PreparedCatalog;
  readonly plans: readonly OperatorPlan[];
  /** By major, the wanted bundle and the installed one, as far as the catalog still has it. */
  readonly bundles: ReadonlyMap<number, readonly FbcBundle[]>;
}

/** Reads the catalog and resolves every operator in it; undefined where the settings list none. */
export async function planOperators(request: CatalogRequest, live: LiveState): Promise<PlannedOperators | undefined> {
  const { operators, catalog: settings } = request.settings;
  if (operators.length === 0) return undefined;
  const catalog = await prepareCatalog(request);
  const plans = planFleet(operators, { name: settings.name, content: catalog.content }, live.installed);
  const bundles = plans.map(({ major, bundle }): [number, readonly FbcBundle[]] => {
    const names = new Set([bundle, live.installed.get(major)?.name]);
    return [major, catalog.content.bundles.filter(({ name }) => names.has(name))];
  });
  return { catalog, plans, bundles: new Map(bundles) };
}

/** What those operators need of the API. */
export function operatorNeeds(planned: PlannedOperators | undefined): readonly OperatorNeeds[] {
  const bundles = [...(planned?.bundles.values() ?? [])].flat();
  return bundles.map((bundle) => ({ operator: bundle.name, needs: apiNeedsOf(bundle) }));
}
