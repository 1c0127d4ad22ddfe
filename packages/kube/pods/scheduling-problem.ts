import { names, PART_LIMIT } from '../../lib/message.ts';

/** What plugins tried afterwards, which does not say why there is no node. */
const AFTERWARDS = /\.? *(?:no new claims to deallocate)?,? *(?:preemption: .*)?$/s;

/** What the scheduler says of a claim that does not exist. */
const TWICE = /( not found)\. not found$/;

/** The reasons of the nodes, each with the number of nodes that have it. */
const REASONS = /^0\/\d+ nodes are available: (?<reasons>\d.*)$/s;

/** Why the scheduler finds no node for a pod. If there are many reasons, it names the first ones and counts the others. */
export function schedulingProblem(pod: string, message = ''): string {
  const beginning = `Pod ${pod} cannot be scheduled`;
  // Collapses spaces first: with many of them, the expression for the end would take cubic time.
  const cause = message.trim().replace(/\s+/g, ' ').replace(AFTERWARDS, '').replace(TWICE, '$1');
  if (cause === '') return beginning;
  const { reasons } = REASONS.exec(cause)?.groups ?? {};
  const whole = `${beginning}: ${cause}`;
  if (reasons === undefined || whole.length <= PART_LIMIT) return whole;
  return `${beginning}: ${names(reasons.split(/, (?=\d+ )/), PART_LIMIT - beginning.length - 2)}`;
}
