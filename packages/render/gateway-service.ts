import { metaOf, type Component, type RenderedObject } from './model.ts';
import type { EffectiveGateway } from './effective.ts';

export function gatewayService(component: Component, { type, ports }: EffectiveGateway['service']): RenderedObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: metaOf(component),
    spec: { type, ports, selector: component.selector },
  };
}
