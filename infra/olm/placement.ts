import type { ChosenPlacement } from '../../components/olm/placement.ts';
import type { Settings } from '../config/schema.ts';
import { definedOnly } from '../../packages/lib/values.ts';

/** Where the settings want the pods of OLM and of the operators. */
export function placementOf({ olm }: Pick<Settings, 'olm'>): ChosenPlacement {
  const { nodeSelector, tolerations, affinity } = olm;
  return definedOnly({ nodeSelector, tolerations: tolerations?.map(definedOnly), affinity });
}
