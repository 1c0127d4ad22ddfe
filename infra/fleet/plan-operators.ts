import { planFleet, type PlannedOperator } from '../../components/fleet/plan.ts';
import { prepareCatalog, type CatalogRequest, type PreparedCatalog } from '../catalog/prepare-catalog.ts';
import type { LiveState } from '../cluster/live-state.ts';

/** The plan for the operators, made before anything is registered. */
export interface PlannedFleet {
  /** Undefined where there are no operators. */
  readonly catalog: PreparedCatalog | undefined;
  readonly operators: readonly PlannedOperator[];
}

/** Reads the catalog and resolves every operator in it. */
export async function planOperators(
  request: CatalogRequest,
  live: Pick<LiveState, 'operators'>,
): Promise<PlannedFleet> {
  const { operators, catalog: settings } = request.settings;
  if (operators.length === 0) return { catalog: undefined, operators: [] };
  const catalog = await prepareCatalog(request);
  return {
    catalog,
    operators: planFleet(operators, { name: settings.name, content: catalog.content }, live.operators),
  };
}
