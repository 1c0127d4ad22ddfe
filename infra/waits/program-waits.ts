import * as pulumi from '@pulumi/pulumi';
import { OPERATOR_NAMESPACE, operatorNames } from '../../packages/api/operator-names.ts';
import type { OperatorPlan } from '../../components/fleet/plan.ts';
import { CATALOGD, CONTROLLER } from '../../components/olm/existing.ts';
import type { OlmV1 } from '../../components/olm/olm-v1.ts';
import type { Advice } from '../../components/waits/deployment-symptom.ts';
import {
  catalogTarget,
  deploymentTarget,
  extensionTarget,
  type DeploymentRef,
  type Target,
} from '../../components/waits/target.ts';
import type { DeployedOperators } from '../fleet/deploy-operators.ts';
import type { Wait } from './watch-waits.ts';

/** The Deployments of OLM, in whatever namespace; their names are those of its releases. */
const OLM_CONTROLLERS: readonly DeploymentRef[] = [{ name: CATALOGD.name }, { name: CONTROLLER.name }];

const PLACEMENT = '`olm.nodeSelector`, `olm.tolerations` and `olm.affinity`';

const OLM_ADVICE: Advice = {
  placement: `Change a node, or ${PLACEMENT}; \`olm.resources\` says what is asked for.`,
  image: 'Look at `olm.images`, and at `pullSecret` if the registry asks for credentials.',
};

const OPERATOR_ADVICE: Advice = {
  placement: `Change a node, or ${PLACEMENT}, which operators share with OLM.`,
  image: 'Look at `pullSecret` if the registry asks for credentials.',
};

/** What the program waits for, each known when it is ready. */
export interface Progress {
  /** OLM's controllers; undefined where an existing OLM is used. */
  readonly olm: Pick<OlmV1, 'begun' | 'ready'> | undefined;
  readonly catalogName: string;
  readonly plans: readonly OperatorPlan[];
  /** Undefined where there are no operators. */
  readonly operators: DeployedOperators | undefined;
  /** The operators' pods. */
  readonly running: pulumi.Output<unknown>;
}

/** OLM first, then the catalog, then the extensions and what they install: each is waited for when the one before is ready. */
export function programWaits({ olm, catalogName, plans, operators, running }: Progress): readonly Wait[] {
  const controllers = OLM_CONTROLLERS.map((ref) => deploymentTarget(ref, OLM_ADVICE));
  // Before, the cluster has the controllers that this update replaces, and what they lack may be what it brings.
  const own: readonly Wait[] = olm === undefined ? [] : [{ targets: controllers, from: olm.begun, until: olm.ready }];
  if (operators === undefined) return own;
  const { catalogImage, served, installed } = operators;
  const ready = pulumi.all([catalogImage, olm?.ready ?? true]);
  // Nobody waits for an OLM that is there already, but everything else waits for what it does.
  const existing: readonly Wait[] = olm === undefined ? [{ targets: controllers, from: ready, until: installed }] : [];
  return [
    ...own,
    ...existing,
    { targets: [catalogTarget(catalogName)], from: ready, until: served },
    { targets: plans.map(extension), from: served, until: installed },
    { targets: plans.flatMap(operatorDeployments).map(operatorTarget), from: served, until: running },
  ];
}

function extension({ major, to }: OperatorPlan): Target {
  return extensionTarget(operatorNames(major).operator, to);
}

export function operatorDeployments({ deployments }: OperatorPlan): readonly DeploymentRef[] {
  return deployments.map((name) => ({ namespace: OPERATOR_NAMESPACE, name }));
}

export function operatorTarget(ref: DeploymentRef): Target {
  return deploymentTarget(ref, OPERATOR_ADVICE);
}
