import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * Where a path in an environment's settings leads. It counts from the checkout, so that it means the same wherever the program runs. The
 * settings are shared, so what lies in the home of whoever runs the program is named by `~/`.
 */
export function settingPath(checkout: string, path: string, home: string = homedir()): string {
  return path.startsWith('~/') ? join(home, path.slice(2)) : resolve(checkout, path);
}
