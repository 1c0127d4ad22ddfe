import { GATEWAY_DRAIN_SECONDS, MANAGEMENT_PORT } from '../api/defaults.ts';
import { gatewayConfiguration } from './config-map.ts';
import { deployment, type DeploymentInput } from './deployment.ts';
import { disruptionBudget } from './disruption-budget.ts';
import type { EffectiveGateway } from './effective.ts';
import { ingress } from './ingress.ts';
import { type Component, configMap, type RenderedObject, metaOf } from './model.ts';

/** The objects of the gateway. The ServiceMonitor is made only where the cluster knows the kind. */
export function gatewayObjects(
  component: Component,
  gateway: EffectiveGateway,
  pod: Pick<DeploymentInput, 'defaultTag' | 'serviceAccountName' | 'imagePullSecrets'>,
  serviceMonitorKnown: boolean,
): RenderedObject[] {
  const configuration = gatewayConfiguration(gateway.config);
  return [
    configMap(component, configuration.yaml),
    deployment({ component, configuration, values: withDrain(gateway), replicas: gateway.replicaCount, ...pod }),
    service(component, gateway),
    ...disruptionBudget(component, gateway.disruption),
    ...ingress(component, gateway.ingress, gateway.service.ports),
    ...(gateway.exportPrometheusMetrics && serviceMonitorKnown ? [serviceMonitor(component)] : []),
  ];
}

/** The default drain leaves at least half of a short grace period for stopping. */
function withDrain(gateway: EffectiveGateway): EffectiveGateway {
  const most = Math.floor(gateway.terminationGracePeriodSeconds / 2);
  return { ...gateway, drain: { seconds: gateway.drain?.seconds ?? Math.min(GATEWAY_DRAIN_SECONDS, most) } };
}

function service(component: Component, { service: { type, ports } }: EffectiveGateway): RenderedObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: metaOf(component),
    spec: { type, ports, selector: component.selector },
  };
}

function serviceMonitor(component: Component): RenderedObject {
  return {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'ServiceMonitor',
    metadata: metaOf(component),
    spec: {
      endpoints: [{ interval: '15s', targetPort: MANAGEMENT_PORT, path: '/metrics' }],
      selector: { matchLabels: component.selector },
    },
  };
}
