import * as k8s from '@pulumi/kubernetes';
import { checkout } from '../cluster/tools/places.ts';
import { InferenceStackApi } from '../components/api/inference-stack-api.ts';
import { describePlan } from '../components/fleet/describe-plan.ts';
import { checkRemoval } from '../components/fleet/removal.ts';
import { FleetGuards } from '../components/guards/fleet-guards.ts';
import { checkExistingOlm } from '../components/olm/existing.ts';
import { refuse } from '../controller/src/problem.ts';
import { readDefinitions } from './api/definitions.ts';
import { askTarget, findTarget, type Target } from './cluster/target.ts';
import { loadSettings, type ConfigMap } from './config/load.ts';
import { deployOperators } from './fleet/deploy-operators.ts';
import { demoImage } from './images/demo-image.ts';
import { imageSettings } from './images/image-settings.ts';
import { installOlm } from './olm/install-olm.ts';
import { describeOutputs, type FleetOutputs } from './outputs.ts';

/** What the program is told by whoever runs it. */
export interface ProgramContext {
  readonly stack: string;
  readonly config: ConfigMap;
  readonly preview: boolean;
  readonly log: Log;
}

/** Where the program tells people what it finds and what it is going to do. */
export interface Log {
  info(message: string): void;
  warn(message: string): void;
}

/** The whole program: decides with plain values first, then registers everything in the order in which it is needed. */
export async function program({ stack, config, preview, log }: ProgramContext): Promise<FleetOutputs> {
  const settings = loadSettings(stack, config);
  const target = await findTarget(settings);
  const live = await askTarget(target, preview, (message) => log.warn(message));
  const wanted = settings.operators.map(({ major }) => major);
  refuse([
    ...(live.known ? checkExistingOlm(settings.olm.mode, live.olm) : []),
    ...checkRemoval(wanted, live.majors, live.stacks, settings.removeMajors),
  ]);

  const opts = { providers: { kubernetes: clusterProvider(target) } };
  const olm = await installOlm(settings, target, opts);
  const api = new InferenceStackApi(
    'api',
    {
      definitions: await readDefinitions(checkout, settings.api.modelOrchestra),
      live: live.definitions,
      protect: settings.api.protect,
      acceptChanges: settings.api.acceptChanges,
    },
    opts,
  );
  const guards =
    settings.guards === 'off'
      ? undefined
      : new FleetGuards(
          'guards',
          { majors: wanted, action: settings.guards },
          { ...opts, dependsOn: [api, ...(olm === undefined ? [] : [olm])] },
        );
  const images = imageSettings(settings, target);
  const before = [api, olm, guards].filter((part) => part !== undefined);
  const operators = await deployOperators({ settings, target, live, images, before, opts });
  for (const plan of operators?.plans ?? []) log.info(describePlan(plan));
  const demo = settings.demo ? demoImage(images, checkout) : undefined;
  return describeOutputs({ settings, target, olm, operators, demo });
}

function clusterProvider(target: Target): k8s.Provider {
  return new k8s.Provider('cluster', {
    ...(target.kubeconfig === undefined ? {} : { kubeconfig: target.kubeconfig }),
    ...(target.context === undefined ? {} : { context: target.context }),
    clusterIdentifier: target.identity,
    enableServerSideApply: true,
  });
}
