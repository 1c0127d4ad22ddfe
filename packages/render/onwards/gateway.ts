import { ENGINE_ANNOTATION } from '../../api/constants.ts';
import type { OpenObject } from '../../lib/json.ts';
import { definedOnly } from '../../lib/values.ts';
import { deployment, imageReference, type DeploymentInput } from '../deployment.ts';
import { disruptionBudget } from '../disruption-budget.ts';
import { drainSeconds } from '../drain.ts';
import type { EffectiveOnwards } from '../effective.ts';
import { imageOf } from '../engines/image.ts';
import { chooseRevision } from '../engines/revision.ts';
import { factsOf } from '../engines/table.ts';
import { mergeEnv } from '../env.ts';
import { gatewayService } from '../gateway-service.ts';
import { hardenedContainer, hardenedPod } from '../hardened.ts';
import { ingress } from '../ingress.ts';
import { metaOf, type Component, type GatewayResult, type RenderedObject } from '../model.ts';
import { withDefaultResources } from '../resources.ts';
import { serviceMonitor } from '../service-monitor.ts';
import { withoutDefaultIds } from '../user-ids.ts';
import type { FrozenDefaults } from '../../api/types.ts';
import { ROUTES, routeKeeper, routeVolumes } from './route-keeper.ts';
import type { Upstream } from './pools.ts';
import { routes } from './routes.ts';
import { ONWARDS_REVISIONS } from './table.ts';

/** Ports of the container. Others can be declared, but Onwards opens these. */
const PORT = 3000;
const METRICS_PORT = 9090;

/** Seconds between the end of the longest request that is waited for, and the end of the grace period. */
const RESERVE_SECONDS = 5;

export interface OnwardsInput {
  readonly component: Component;
  readonly gateway: EffectiveOnwards;
  readonly upstreams: readonly Upstream[];
  readonly pod: Pick<DeploymentInput, 'serviceAccountName' | 'imagePullSecrets'>;
  readonly defaults: Pick<FrozenDefaults, 'revisions'>;
  readonly serviceMonitorKnown: boolean;
  /** Whether the platform gives pods their user and group ids. */
  readonly assignsUserIds: boolean;
}

/** The objects of the gateway Onwards. A change of the table does not touch its pods. */
export function onwardsObjects({ component, gateway, upstreams, pod, ...input }: OnwardsInput): GatewayResult {
  const { revision, kept } = chooseRevision('onwards', ONWARDS_REVISIONS.length, gateway.revision, input.defaults);
  const facts = factsOf(ONWARDS_REVISIONS, revision);
  const security = hardenedPod(gateway.podSecurityContext, gateway.securityContext, gateway.initContainers);
  const image = imageOf(facts.image, gateway.image);
  const values = {
    ...gateway,
    image,
    resources: withDefaultResources(gateway.resources, facts.resources),
    podSecurityContext: input.assignsUserIds ? withoutDefaultIds(security, gateway.podSecurityContext) : security,
    securityContext: hardenedContainer(gateway.securityContext),
    readinessProbe: gateway.readinessProbe ?? probe('/readyz', 2, 1),
    livenessProbe: gateway.livenessProbe ?? probe('/healthz', 10, 3),
    env: mergeEnv(
      gateway.env,
      Object.entries(facts.env).map(([name, value]) => ({ name, value })),
    ),
    // Onwards itself goes on serving after it was told to stop.
    drain: { seconds: 0 },
  };
  return {
    objects: [
      table(component, routes(upstreams)),
      deployment({
        component,
        values,
        replicas: gateway.replicaCount,
        annotations: { [ENGINE_ANNOTATION]: `onwards/${String(revision)}` },
        args: argumentsOf(gateway),
        initContainers: [routeKeeper(image)],
        volumes: routeVolumes(component.objectName),
        volumeMounts: [{ name: 'routes', mountPath: '/routes', readOnly: true }],
        // A pod that leaves is replaced before it does.
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
        podSpec: { enableServiceLinks: false, automountServiceAccountToken: false },
        ...pod,
        defaultTag: '',
      }),
      gatewayService(component, gateway.service),
      ...disruptionBudget(component, gateway.disruption),
      ...ingress(component, gateway.ingress, gateway.service.ports),
      ...(gateway.exportPrometheusMetrics && input.serviceMonitorKnown
        ? [serviceMonitor(component, { port: 'metrics', path: '/metrics' })]
        : []),
    ],
    ...definedOnly({ image: imageReference(image, ''), revision: kept }),
  };
}

function argumentsOf(gateway: EffectiveOnwards): string[] {
  const delay = drainSeconds(gateway);
  const rest = gateway.terminationGracePeriodSeconds - delay - RESERVE_SECONDS;
  const values = {
    '--targets': ROUTES,
    '--port': PORT,
    '--metrics-port': METRICS_PORT,
    '--shutdown-delay-secs': delay,
    '--shutdown-timeout-secs': Math.max(1, rest),
  };
  return Object.entries(values).flatMap(([flag, value]) => [flag, String(value)]);
}

function probe(path: string, periodSeconds: number, failureThreshold: number): OpenObject {
  return { httpGet: { path, port: METRICS_PORT }, periodSeconds, failureThreshold, timeoutSeconds: 3 };
}

function table(component: Component, json: string): RenderedObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: metaOf(component), data: { 'routes.json': json } };
}
