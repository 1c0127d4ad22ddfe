import { readdirSync, readFileSync } from 'node:fs';

/** The resident memory of a process and of all that it started, in MiB. What they share counts once for each. */
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
  return processes.reduce((sum, each) => sum + (family.has(each.pid) ? each.megabytes : 0), 0);
}

function readProcess(name: string): { pid: number; parent: number; megabytes: number }[] {
  try {
    const status = readFileSync(`/proc/${name}/status`, 'utf8');
    const field = (key: string): number => Number(new RegExp(`^${key}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
    return [{ pid: Number(name), parent: field('PPid'), megabytes: field('VmRSS') / 1024 }];
  } catch {
    // It has ended meanwhile.
    return [];
  }
}
