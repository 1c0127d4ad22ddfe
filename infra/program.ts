import * as k8s from '@pulumi/kubernetes';
import type * as pulumi from '@pulumi/pulumi';
import { checkout } from '../cluster/tools/places.ts';
import { InferenceStackApi } from '../components/api/inference-stack-api.ts';
import { FleetGuards } from '../components/guards/fleet-guards.ts';
import { OlmV1 } from '../components/olm/olm-v1.ts';
import type { Target } from './cluster/target.ts';
import { aim, decide, type Decision, type ProgramContext } from './decide.ts';
import { deployOperators } from './fleet/deploy-operators.ts';
import { operatorNeeds } from './fleet/plan-operators.ts';
import { demoImage } from './images/demo-image.ts';
import { describeOutputs, type FleetOutputs } from './outputs.ts';

/** The whole program: decides with plain values first, then registers everything in the order in which it is needed. */
export async function program(context: ProgramContext): Promise<FleetOutputs> {
  const aimed = await aim(context);
  // Registered before anything is decided: it takes as long to start as that takes.
  const kubernetes = clusterProvider(aimed.target);
  return register(await decide(aimed, context), { providers: { kubernetes } });
}

function register(decision: Decision, opts: pulumi.ComponentResourceOptions): FleetOutputs {
  const { settings, target, images, planned, installsAs } = decision;
  const olm = decision.olm === undefined ? undefined : new OlmV1('olm', decision.olm, opts);
  const api = inferenceStackApi(decision, opts);
  const platform = [api, ...(olm === undefined ? [] : [olm])];
  const guards = fleetGuards(decision, { ...opts, dependsOn: platform });
  const before = [...platform, ...(guards === undefined ? [] : [guards])];
  const catalogImage =
    planned === undefined ? undefined : deployOperators({ settings, planned, installsAs, olm, before, opts });
  const demo = settings.demo ? demoImage(images, checkout) : undefined;
  return describeOutputs({ settings, target, olm, plans: planned?.plans ?? [], catalogImage, demo });
}

function inferenceStackApi(
  { settings, definitions, live, planned }: Decision,
  opts: pulumi.ComponentResourceOptions,
): InferenceStackApi {
  const { protect, acceptChanges } = settings.api;
  const operators = operatorNeeds(planned);
  return new InferenceStackApi('api', { definitions, live: live.definitions, operators, protect, acceptChanges }, opts);
}

function fleetGuards(
  { settings: { guards, operators }, live, writers }: Decision,
  opts: pulumi.ComponentResourceOptions,
): FleetGuards | undefined {
  if (guards === 'off') return undefined;
  // Stacks may ask for an operator that somebody else installed beside the fleet.
  const majors = new Set([...operators.map(({ major }) => major), ...live.foreignMajors]);
  const args = { majors: [...majors], action: guards, ...(writers === undefined ? {} : { writers }) };
  return new FleetGuards('guards', args, opts);
}

function clusterProvider(target: Target): k8s.Provider {
  return new k8s.Provider('cluster', {
    ...(target.kubeconfig === undefined ? {} : { kubeconfig: target.kubeconfig }),
    ...(target.context === undefined ? {} : { context: target.context }),
    clusterIdentifier: target.identity,
    enableServerSideApply: true,
  });
}
