import * as pulumi from '@pulumi/pulumi';
import { OPERATOR_NAMESPACE, operatorNames } from '../../packages/api/operator-names.ts';
import type { PlannedOperator } from '../../components/fleet/plan.ts';
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
  placement: `Change a node, or ${PLACEMENT}; \`olm.resources\` sets what the pods request.`,
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
  readonly operators: readonly PlannedOperator[];
  /** Undefined where there are no operators. */
  readonly deployed: DeployedOperators | undefined;
  /** The operators' pods. */
  readonly running: pulumi.Output<unknown>;
}

/** OLM first, then the catalog, then the extensions and what they install: each is waited for when the one before is ready. */
export function programWaits({ olm, catalogName, operators, deployed, running }: Progress): readonly Wait[] {
  const controllers = OLM_CONTROLLERS.map((ref) => deploymentTarget(ref, OLM_ADVICE));
  // Not earlier: until then the cluster has the controllers that this update replaces, and whose trouble it may fix.
  const ofOlm: readonly Wait[] = olm === undefined ? [] : [{ targets: controllers, from: olm.begun, until: olm.ready }];
  if (deployed === undefined) return ofOlm;
  const { catalogImage, served, installed } = deployed;
  const ready = pulumi.all([catalogImage, olm?.ready ?? true]);
  // An existing OLM is not waited for, but everything else depends on it.
  const existing: readonly Wait[] = olm === undefined ? [{ targets: controllers, from: ready, until: installed }] : [];
  return [
    ...ofOlm,
    ...existing,
    { targets: [catalogTarget(catalogName)], from: ready, until: served },
    { targets: operators.map(extension), from: served, until: installed },
    { targets: operators.flatMap(operatorDeployments).map(operatorTarget), from: served, until: running },
  ];
}

function extension({ operator, plan }: PlannedOperator): Target {
  return extensionTarget(operatorNames(operator.major).operator, plan.to);
}

export function operatorDeployments({ plan }: PlannedOperator): readonly DeploymentRef[] {
  return plan.deployments.map((name) => ({ namespace: OPERATOR_NAMESPACE, name }));
}

export function operatorTarget(ref: DeploymentRef): Target {
  return deploymentTarget(ref, OPERATOR_ADVICE);
}
