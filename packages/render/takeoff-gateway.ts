import { MANAGEMENT_PORT } from '../api/defaults.ts';
import { configurationFile, gatewayConfiguration } from './config-map.ts';
import { deployment, imageReference, type DeploymentInput } from './deployment.ts';
import { disruptionBudget } from './disruption-budget.ts';
import { withDrain } from './drain.ts';
import type { EffectiveTakeoff } from './effective.ts';
import { gatewayService } from './gateway-service.ts';
import { ingress } from './ingress.ts';
import { type Component, configMap, type GatewayResult } from './model.ts';
import { serviceMonitor } from './service-monitor.ts';

/** The objects of the gateway takeoff. The ServiceMonitor is made only where the cluster knows the kind. */
export function takeoffObjects(
  component: Component,
  gateway: EffectiveTakeoff,
  pod: Pick<DeploymentInput, 'defaultTag' | 'serviceAccountName' | 'imagePullSecrets'>,
  serviceMonitorKnown: boolean,
): GatewayResult {
  const configuration = gatewayConfiguration(gateway.config);
  const file = configurationFile(component, configuration);
  return {
    image: imageReference(gateway.image, pod.defaultTag),
    objects: [
      configMap(component, configuration.yaml),
      deployment({ component, values: withDrain(gateway), replicas: gateway.replicaCount, ...file, ...pod }),
      gatewayService(component, gateway.service),
      ...disruptionBudget(component, gateway.disruption),
      ...ingress(component, gateway.ingress, gateway.service.ports),
      ...(gateway.exportPrometheusMetrics && serviceMonitorKnown
        ? [serviceMonitor(component, { targetPort: MANAGEMENT_PORT, path: '/metrics' })]
        : []),
    ],
  };
}
