import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../packages/lib/command.ts';
import { goEnvironment } from './go-build.ts';

/** Go fetches as many modules at once as there are processors. Fetching waits for the network, not for a processor. */
const AT_ONCE = '16';

/** Modules whose content a build needs: go.sum has its hash. For all others it has only the hash of their go.mod. */
export function neededModules(goSum: string): string[] {
  return goSum.split('\n').flatMap((line) => {
    const [path = '', version = ''] = line.split(' ');
    return version === '' || version.endsWith('/go.mod') ? [] : [`${path}@${version}`];
  });
}

/**
 * Fetches what the modules in some folders are built from, one folder after the other, beside the builds. A build that starts
 * too early fetches for itself. Failures are left to the build, which fails too and explains why.
 */
export async function prefetch(moduleDirectories: Iterable<string>, signal: AbortSignal): Promise<void> {
  const env = { ...goEnvironment(), GOMAXPROCS: AT_ONCE };
  for (const cwd of moduleDirectories) {
    if (signal.aborted) return;
    const modules = neededModules(readFileSync(join(cwd, 'go.sum'), 'utf8'));
    await run('go', ['mod', 'download', ...modules], { cwd, env, signal }).catch(() => undefined);
  }
}
