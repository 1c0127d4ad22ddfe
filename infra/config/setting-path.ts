import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * Where a path in a stack's settings leads. It counts from the checkout, so that it means the same wherever the program runs; stack
 * files are shared, so what lies in the home of whoever runs them is named by `~/`.
 */
export function settingPath(checkout: string, path: string, home: string = homedir()): string {
  return path.startsWith('~/') ? join(home, path.slice(2)) : resolve(checkout, path);
}
