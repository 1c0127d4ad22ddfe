/** The message of whatever was thrown, for a person. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The code that Node gives to failures of the system, e.g. `ENOENT`; empty for all others. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
