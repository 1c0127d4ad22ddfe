import { objectsAt } from '../../../packages/lib/json.ts';
import type { InferenceStackSpec } from '../../../packages/api/types.ts';
import { at, objectsOf, podOf } from '../people/stacks.ts';

/** What the operator renders for a gateway Onwards. */
export interface RenderedGateway {
  /** The table of routes. */
  readonly table: string;
  /** Of Onwards. */
  readonly args: readonly string[];
  /** What carries changes of the table to Onwards, for a shell. */
  readonly routeKeeper: string;
}

/** Where engines can be reached in place of their Services, by application. */
export type Addresses = Readonly<Record<string, string>>;

/** Renders a gateway. Nothing of it differs from what a cluster gets but the hosts of the engines. */
export function renderedGateway(spec: InferenceStackSpec, addresses: Addresses): RenderedGateway {
  const pod = podOf(spec, 'gateway');
  const [container] = objectsAt(pod, 'containers');
  const [keeper] = objectsAt(pod, 'initContainers');
  return {
    table: reachable(at(objectsOf(spec)['ConfigMap/gateway'], 'data', 'routes.json') as string, addresses),
    args: container?.['args'] as string[],
    routeKeeper: (keeper?.['command'] as string[])[2] ?? '',
  };
}

function reachable(table: string, addresses: Addresses): string {
  const replaced = Object.entries(addresses).reduce(
    (text, [name, address]) => text.replaceAll(`http://chat-inference-stack-${name}/`, `${address}/`),
    table,
  );
  const left = /http:\/\/chat-[^/]*/.exec(replaced)?.[0];
  if (left !== undefined) throw new Error(`nothing stands in for ${left}`);
  return replaced;
}

/** What an engine's container is started with. */
export function engineArguments(spec: InferenceStackSpec, application: string): string[] {
  const [container] = objectsAt(podOf(spec, application), 'containers');
  return [...(container?.['args'] as string[])];
}
