import type { RenderedObject } from '../../../packages/render/model.ts';
import { at } from '../people/stacks.ts';

/** A place in a pool of the gateway Onwards. */
export interface Provider {
  readonly url: string;
  readonly onwards_model?: string;
}

export interface Route {
  readonly strategy: string;
  readonly fallback: {
    readonly enabled: boolean;
    readonly max_attempts: number;
    readonly on_status: readonly number[];
  };
  readonly providers: readonly Provider[];
}

/** The table of the gateway Onwards. */
export interface RouteTable {
  readonly http_pool: { readonly max_idle_per_host: number };
  readonly targets: Readonly<Record<string, Route>>;
}

/** The text of the table among a stack's objects, as `objectsOf` gives them. */
export function routesText(objects: Readonly<Record<string, RenderedObject>>): string {
  return String(at(objects['ConfigMap/gateway'], 'data', 'routes.json'));
}

export function routesOf(objects: Readonly<Record<string, RenderedObject>>): RouteTable {
  return JSON.parse(routesText(objects)) as RouteTable;
}

/** The places of an alias; none where nobody answers for it. */
export function providersOf(objects: Readonly<Record<string, RenderedObject>>, alias: string): readonly Provider[] {
  const { targets } = routesOf(objects);
  return Object.hasOwn(targets, alias) ? (targets[alias]?.providers ?? []) : [];
}

/** How many places each application of an alias has, by its Service without the stack's prefix. */
export function placesOf(objects: Readonly<Record<string, RenderedObject>>, alias: string): Record<string, number> {
  const found: Record<string, number> = {};
  for (const { url } of providersOf(objects, alias)) {
    const name = new URL(url).hostname.replace('chat-inference-stack-', '');
    found[name] = (found[name] ?? 0) + 1;
  }
  return found;
}
