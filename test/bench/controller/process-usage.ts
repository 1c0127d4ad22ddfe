import { readFileSync } from 'node:fs';

/** Clock ticks in which Linux counts CPU time. */
const TICKS_PER_SECOND = 100;

/** CPU seconds and peak resident memory of a process, as Linux counts them. */
export function processUsage(pid: number): { cpuSeconds: number; peakMegabytes: number } {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The second field is a name in parentheses that may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[11]) + Number(fields[12]);
  const peak = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return { cpuSeconds: ticks / TICKS_PER_SECOND, peakMegabytes: Number(peak) / 1024 };
}
