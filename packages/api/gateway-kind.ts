import { isOpenEngine } from './engine.ts';
import type { Application, GatewayKind, InferenceStackSpec } from './types.ts';

/** The kind that a spec asks for, or the one that suits its first open engine. */
export function gatewayKindOf({ gateway, applications, applicationTemplate }: InferenceStackSpec): GatewayKind {
  if (gateway?.kind !== undefined) return gateway.kind;
  const engines = Object.values<Application | null>(applications ?? {}).map(
    (application) => application?.engine ?? applicationTemplate?.engine,
  );
  return engines.some(isOpenEngine) ? 'onwards' : 'takeoff';
}

/** Applications whose engine does not suit a kind of gateway: that of the spec, unless another is given. */
export function unsuited(spec: InferenceStackSpec, kind = gatewayKindOf(spec)): string[] {
  return Object.entries<Application | null>(spec.applications ?? {})
    .filter(([, application]) => {
      const engine = application?.engine ?? spec.applicationTemplate?.engine;
      return isOpenEngine(engine) !== (kind === 'onwards');
    })
    .map(([name]) => name);
}
