import type { InferenceStackSpec } from '../../../packages/api/types.ts';
import { validate } from '../../../packages/api/validate.ts';
import { formatProblem } from '../../../packages/lib/problem.ts';
import type { RenderContext } from '../../../packages/render/model.ts';
import { render } from '../../../packages/render/render.ts';
import { contextWith, stackWith } from './stacks.ts';

/** What people are told of a spec that is valid, as `fleet explain` and the condition Accepted say it. */
export function noticesOf(spec: InferenceStackSpec, changes: Partial<RenderContext> = {}): string[] {
  const result = validate(stackWith(spec));
  if (!result.valid) throw new Error(result.problems.map(formatProblem).join('\n'));
  return render(result.stack, contextWith(changes)).notices.map(formatProblem);
}
