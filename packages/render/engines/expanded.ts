import type { EnvVar } from '../../api/types.ts';

/** What the kubelet replaces in commands and arguments: `$$` by a dollar, and `$(NAME)` by a variable of the container. */
const REFERENCE = /\$(?:\$|\(([^)]*)\))/g;

/** The longest value that is looked at, and the longest word that comes out: the API has no longer ones in commands and arguments. */
const LIMIT = 1024;

/**
 * A word of a command or an argument as the program gets it. Undefined where that depends on what only the cluster knows, or on a variable
 * that is not among these, is long or refers to others: such variables may double each other's length again and again.
 */
export function expanded(word: string, env: readonly EnvVar[]): string | undefined {
  if (!word.includes('$')) return word;
  const known = env.filter(({ value = '', valueFrom }) => {
    return valueFrom === undefined && value.length <= LIMIT && !value.includes('$');
  });
  const values = new Map(known.map(({ name, value = '' }) => [name, value]));
  const isKnown = [...word.matchAll(REFERENCE)].every(([, name]) => name === undefined || values.has(name));
  const result = word.replace(REFERENCE, (_, name?: string) => (name === undefined ? '$' : (values.get(name) ?? '')));
  return isKnown && result.length <= LIMIT ? result : undefined;
}
