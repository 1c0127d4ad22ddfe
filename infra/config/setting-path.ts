import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * Resolves a path in an environment's settings. Relative paths start at the checkout, so they mean the same wherever
 * the program runs. Settings are shared, so files in the user's home are named with `~/`.
 */
export function settingPath(checkout: string, path: string, home: string = homedir()): string {
  return path.startsWith('~/') ? join(home, path.slice(2)) : resolve(checkout, path);
}
