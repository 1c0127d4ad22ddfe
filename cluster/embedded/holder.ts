import { readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { writePrivate } from './files.ts';

/** Remembers the process that holds a cluster's namespaces open. */
export function writeHolder(file: string, pid: number): void {
  writePrivate(file, `${pid} ${startTimeOf(pid) ?? ''}`);
}

/**
 * The remembered process, if it still runs. Process ids are reused, at the latest after a reboot. Only the start
 * time tells the holder from a stranger, which must not be killed or entered.
 */
export function readHolder(file: string): number | undefined {
  const [pid = NaN, started] = (readIfThere(file) ?? '').split(' ');
  // A cluster that an earlier version started has no start time until its next start.
  const same = started === undefined || started === startTimeOf(Number(pid));
  return same && isHolder(Number(pid)) ? Number(pid) : undefined;
}

/** The holder is the first process of its namespace and runs nothing but catatonit. */
export function isHolder(pid: number): boolean {
  try {
    return basename(readlinkSync(`/proc/${pid}/exe`)) === 'catatonit';
  } catch {
    return false;
  }
}

/** When a process was started, in clock ticks since boot: field 22, counted after the name, which may contain anything. */
function startTimeOf(pid: number): string | undefined {
  const stat = readIfThere(`/proc/${pid}/stat`);
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
