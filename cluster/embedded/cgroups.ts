import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = '/sys/fs/cgroup';

/** In cgroup v1 every controller has its own tree; in v2 there is one tree. */
function hierarchies(): string[] {
  if (existsSync(join(ROOT, 'cgroup.controllers'))) return [ROOT];
  const names = readdirSync(ROOT).filter((name) => existsSync(join(ROOT, name, 'tasks')));
  return names.map((name) => join(ROOT, name));
}

/** The kubelet wants its cgroup to exist, with its controllers usable. */
export function ensureCgroup(cgroup: string): void {
  for (const hierarchy of hierarchies()) {
    const path = join(hierarchy, cgroup);
    mkdirSync(path, { recursive: true });
    // A new cpuset is empty in v1, and nothing can run in an empty one.
    for (const file of ['cpuset.cpus', 'cpuset.mems']) {
      const own = join(path, file);
      if (hierarchy !== ROOT && existsSync(own) && readFileSync(own, 'utf8').trim() === '') {
        writeFileSync(own, readFileSync(join(hierarchy, file)));
      }
    }
    if (hierarchy === ROOT) delegate(ROOT, path);
  }
}

/** Removes our cgroup once no process is in it any more. */
export function removeCgroup(cgroup: string): void {
  for (const hierarchy of hierarchies()) removeTree(join(hierarchy, cgroup));
}

export function cgroupExists(cgroup: string): boolean {
  return hierarchies().some((hierarchy) => existsSync(join(hierarchy, cgroup)));
}

/** In v2 a controller works in a cgroup if its parent hands it down. */
function delegate(...paths: readonly string[]): void {
  const controllers = readFileSync(join(ROOT, 'cgroup.controllers'), 'utf8').trim().split(' ');
  for (const path of paths) {
    writeFileSync(join(path, 'cgroup.subtree_control'), controllers.map((name) => `+${name}`).join(' '));
  }
}

/** A cgroup is removed as an empty directory: the files in it are the kernel's. */
function removeTree(path: string): void {
  if (!existsSync(path)) return;
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (entry.isDirectory()) removeTree(join(path, entry.name));
  }
  rmdirSync(path);
}
