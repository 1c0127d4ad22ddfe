import { shortened } from '../../packages/lib/message.ts';

/** How many lines of a log are shown. At their longest they come to about a kilobyte. */
export const LINES = 5;
const LINE_LIMIT = 200;

/** The last lines of a container's log on one line: Pulumi shows the first line of a message at once, the rest at the end. */
export function lastLines(log: string): string {
  return log
    .split('\n')
    .map((line) => shortened(line.replace(/\p{Cc}(?:\[[0-9;]*m)?/gu, ' '), LINE_LIMIT))
    .filter((line) => line !== '')
    .slice(-LINES)
    .join(' | ');
}
