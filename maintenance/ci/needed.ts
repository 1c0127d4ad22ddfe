import { refuse } from '../../packages/lib/problem.ts';

/** Variables that a step cannot do without. None of them is shown: some are secrets. */
export function needed<Name extends string>(
  env: Readonly<Record<string, string | undefined>>,
  ...names: readonly Name[]
): Readonly<Record<Name, string>> {
  const missing = names.filter((name) => (env[name] ?? '') === '');
  const remedy = 'Set it where the workflow runs: docs/how-to/run-in-ci.md lists secrets and variables.';
  refuse(missing.map((path) => ({ path, message: 'is not set', remedy })));
  return Object.fromEntries(names.map((name) => [name, env[name] ?? ''])) as Record<Name, string>;
}
