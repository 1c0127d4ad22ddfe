import { frozenDefaults, OPERATOR_DEFAULTS } from '../api/defaults.ts';
import type { InferenceStack } from '../api/types.ts';
import type { RenderContext } from './model.ts';

/** The context of a stack when there is no cluster to ask: it assumes that every optional API is there, and unless told a platform without user ids. */
export function offlineContext(stack: InferenceStack, assignsUserIds = false): RenderContext {
  return {
    capabilities: { keda: true, serviceMonitor: true, assignsUserIds },
    defaults: frozenDefaults(stack),
    operatorDefaults: OPERATOR_DEFAULTS,
    rollouts: {},
  };
}
