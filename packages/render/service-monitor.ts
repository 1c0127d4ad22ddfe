import { metaOf, type Component, type RenderedObject } from './model.ts';
import type { OpenObject } from '../lib/json.ts';

/** Lets the Prometheus operator read the metrics of a component's pods. */
export function serviceMonitor(component: Component, endpoint: OpenObject): RenderedObject {
  return {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'ServiceMonitor',
    metadata: metaOf(component),
    spec: {
      endpoints: [{ interval: '15s', ...endpoint }],
      selector: { matchLabels: component.selector },
    },
  };
}
