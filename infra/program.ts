import * as k8s from '@pulumi/kubernetes';
import type * as pulumi from '@pulumi/pulumi';
import { InferenceStackApi } from '../components/api/inference-stack-api.ts';
import { FleetGuards } from '../components/guards/fleet-guards.ts';
import { OlmV1 } from '../components/olm/olm-v1.ts';
import { definedOnly } from '../packages/lib/values.ts';
import type { ClusterDescription } from './cluster/describe-cluster.ts';
import { decide, type Decision } from './decide.ts';
import { readEnvironment, type Environment, type ProgramContext } from './environment.ts';
import { deployOperators } from './fleet/deploy-operators.ts';
import { withFormerNames } from './former-names.ts';
import { demoImage } from './images/demo-image.ts';
import { describeOutputs, type FleetOutputs } from './outputs.ts';
import type { Waits } from './waits/waits.ts';

/** The whole program: decides with plain values first, then registers everything in the order in which it is needed. */
export async function program(context: ProgramContext): Promise<FleetOutputs> {
  const environment = await readEnvironment(context);
  // Registered before anything is decided: it takes as long to start as that takes.
  const kubernetes = clusterProvider(environment.cluster);
  const decision = await decide(environment, context);
  return register(
    decision,
    { providers: { kubernetes } },
    context.preview ? undefined : await openWaits(environment, context),
  );
}

/** A preview waits for nothing, so it does not load the code for waiting. */
async function openWaits({ cluster }: Environment, { log }: ProgramContext): Promise<Waits> {
  const { Waits } = await import('./waits/waits.ts');
  return Waits.open(cluster, (message) => {
    log.warn(message);
  });
}

function register(decision: Decision, opts: pulumi.ComponentResourceOptions, waits: Waits | undefined): FleetOutputs {
  const { settings, cluster, checkout, images, catalog, operators } = decision;
  const olm = decision.olm === undefined ? undefined : new OlmV1('olm', decision.olm, withFormerNames('olm', opts));
  const api = new InferenceStackApi('api', decision.api, withFormerNames('api', opts));
  const platform = [api, ...(olm === undefined ? [] : [olm])];
  const after = withFormerNames('guards', { ...opts, dependsOn: platform });
  const guards = decision.guards === undefined ? undefined : new FleetGuards('guards', decision.guards, after);
  const before = [...platform, ...(guards === undefined ? [] : [guards])];
  const deployed = catalog === undefined ? undefined : deployOperators({ ...decision, catalog, olm, before, opts });
  const running = waits?.watch({ olm, catalogName: settings.catalog.name, operators, deployed });
  const demo = settings.demo ? demoImage(images, checkout) : undefined;
  return describeOutputs({ settings, cluster, olm, operators, running, catalogImage: deployed?.catalogImage, demo });
}

function clusterProvider({ kubeconfig, context, identity }: ClusterDescription): k8s.Provider {
  return new k8s.Provider('cluster', {
    ...definedOnly({ kubeconfig, context }),
    clusterIdentifier: identity,
    enableServerSideApply: true,
  });
}
