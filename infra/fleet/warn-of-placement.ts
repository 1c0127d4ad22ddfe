import { OPERATOR_NAMESPACE } from '../../packages/api/operator-names.ts';
import type { OperatorPlan } from '../../components/fleet/plan.ts';
import type { ChosenPlacement } from '../../components/olm/placement.ts';
import { DEPLOYMENTS } from '../../components/olm/resource-types.ts';
import { optional } from '../../packages/kube/client/optional.ts';
import { valueAt, isObject } from '../../packages/lib/json.ts';
import { isEmpty, present } from '../../packages/lib/values.ts';
import type { Client } from '../../packages/kube/client/client.ts';
import { describeObject, type KubernetesObject } from '../../packages/kube/object.ts';

export interface PlacementRequest {
  readonly placement: ChosenPlacement;
  readonly operators: readonly { readonly plan: Pick<OperatorPlan, 'deployments'> }[];
  /** Asks the cluster. */
  readonly ask: <T>(question: (client: Pick<Client, 'get'>) => Promise<T>) => Promise<T>;
  readonly warn: (message: string) => void;
}

/**
 * Warns when an operator does not run where it was placed. A Deployment that OLM has recreated has lost its placement,
 * and Pulumi, which sees no change of its own, does not place it again.
 */
export async function warnOfPlacement({ placement, operators, ask, warn }: PlacementRequest): Promise<void> {
  const wanted = present({ ...placement });
  if (isEmpty(wanted) || operators.length === 0) return;
  const names = operators.flatMap(({ plan }) => plan.deployments);
  const found = await ask((client) =>
    Promise.all(names.map((name) => optional(client.get(DEPLOYMENTS, { namespace: OPERATOR_NAMESPACE, name })))),
  );
  for (const deployment of found.flat().filter((each) => !includes(podOf(each), wanted))) {
    warn(
      `${describeObject(deployment)} does not run where the settings place it. If this run does not change that, OLM has recreated it: run \`pulumi up --refresh\` to place it again.`,
    );
  }
}

function podOf({ spec }: KubernetesObject): unknown {
  return valueAt(spec, 'template', 'spec');
}

/** Whether a value contains all of another one: others may have added to its maps and lists. */
function includes(value: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted)) {
    return Array.isArray(value) && wanted.every((each) => value.some((item) => includes(item, each)));
  }
  if (!isObject(wanted)) return value === wanted;
  return isObject(value) && Object.entries(wanted).every(([key, each]) => includes(value[key], each));
}
