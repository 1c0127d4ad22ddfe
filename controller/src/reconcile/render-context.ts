import { OPERATOR_DEFAULTS } from '../../../packages/api/defaults.ts';
import type { FrozenDefaults, InferenceStack } from '../../../packages/api/types.ts';
import type { Capabilities, RenderContext, RolloutStrategy } from '../../../packages/render/model.ts';
import type { Choice } from './rollout/choice.ts';

/** How the pods of applications are replaced, by application. */
export type Choices = ReadonlyMap<string, Choice>;

/** What was chosen before, as the status of the stack says. */
export function recordedChoices({ status }: InferenceStack): Choices {
  const recorded = new Map<string, Choice>();
  for (const [name, { rollout, rolloutReason = '' }] of Object.entries(status?.applications ?? {})) {
    if (rollout !== undefined) recorded.set(name, { strategy: rollout, reason: rolloutReason });
  }
  return recorded;
}

/** What this operator renders a stack with. */
export function renderContext(capabilities: Capabilities, defaults: FrozenDefaults, choices: Choices): RenderContext {
  const rollouts: Record<string, RolloutStrategy> = {};
  for (const [name, { strategy }] of choices) rollouts[name] = strategy;
  return { capabilities, defaults, operatorDefaults: OPERATOR_DEFAULTS, rollouts };
}
