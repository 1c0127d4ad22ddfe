import type { Problem } from '../../packages/lib/problem.ts';

/** Every operator whose major another one has already: the two would fight for the same stacks. */
export function duplicateMajors(operators: readonly { readonly major: number }[]): readonly Problem[] {
  return operators.flatMap(({ major }, index) => {
    const first = operators.findIndex((other) => other.major === major);
    if (first === index) return [];
    return [
      {
        path: `operators[${index}].major`,
        value: major,
        message: `is also the major of operators[${first}]; two operators of one major would fight for the same stacks`,
        remedy: 'Keep one of the two.',
      },
    ];
  });
}
