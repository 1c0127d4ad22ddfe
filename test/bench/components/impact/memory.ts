import { readdirSync, readFileSync } from 'node:fs';

/** The resident memory of a process and of all that it started, in MiB. What they share, such as Node itself, counts once. */
export function memoryOf(pid: number): number {
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap(readProcess);
  const family = new Set([pid]);
  // Children have mostly higher numbers than their parents, but numbers begin again some day.
  for (let size = 0; size !== family.size;) {
    size = family.size;
    for (const each of processes) if (family.has(each.parent)) family.add(each.pid);
  }
  return [...family].reduce((sum, each) => sum + shareOf(each), 0);
}

/** A process' own memory, and its share of what it has in common with others. */
function shareOf(pid: number): number {
  try {
    const rollup = readFileSync(`/proc/${String(pid)}/smaps_rollup`, 'utf8');
    return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) / 1024;
  } catch {
    // It has ended meanwhile.
    return 0;
  }
}

function readProcess(name: string): { pid: number; parent: number }[] {
  try {
    const status = readFileSync(`/proc/${name}/status`, 'utf8');
    return [{ pid: Number(name), parent: Number(/^PPid:\s+(\d+)/m.exec(status)?.[1] ?? 0) }];
  } catch {
    // It has ended meanwhile.
    return [];
  }
}
