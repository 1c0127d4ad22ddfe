import { isObject, valueAt, type OpenObject } from '../../lib/json.ts';
import { type Problem, refuse } from '../../lib/problem.ts';
import type { Kubeconfig } from './kubeconfig-entries.ts';

const COPY = 'Compare it with what `kubectl config view` shows.';

/** The lists of a kubeconfig, and what each entry of them has beside its name. */
const LISTS = [
  ['clusters', 'cluster', []],
  ['contexts', 'context', ['cluster']],
  ['users', 'user', []],
] as const;

/** A kubeconfig, if what is read of it has the types that it should. Values are not shown: there are tokens among them. */
export function readShape(config: unknown, object: string): Kubeconfig {
  if (!isObject(config)) {
    refuse([
      { object, path: '', message: 'is not a kubeconfig, which is a map', remedy: 'Check that it is the right file.' },
    ]);
  }
  refuse(LISTS.flatMap(([list, part, texts]) => listProblems(config as OpenObject, object, list, part, texts)));
  const current = valueAt(config, 'current-context') ?? '';
  if (typeof current !== 'string') {
    refuse([
      { object, path: 'current-context', message: 'must be a text', remedy: 'Write the name of a context in quotes.' },
    ]);
  }
  return config as Kubeconfig;
}

function listProblems(
  config: OpenObject,
  object: string,
  list: string,
  part: string,
  texts: readonly string[],
): Problem[] {
  const entries = config[list] ?? [];
  if (!Array.isArray(entries)) return [{ object, path: list, message: 'must be a list', remedy: COPY }];
  return entries.flatMap((entry: unknown, index): Problem[] => {
    const path = `${list}[${index}]`;
    if (typeof valueAt(entry, 'name') !== 'string') {
      return [
        { object, path: `${path}.name`, message: 'is missing', remedy: 'Give each entry a name, which is a text.' },
      ];
    }
    const inner = valueAt(entry, part);
    // An entry that nobody chooses may say nothing.
    if (inner === null || inner === undefined) return [];
    if (!isObject(inner)) return [{ object, path: `${path}.${part}`, message: 'must be a map', remedy: COPY }];
    const { exec } = inner;
    if (part === 'user' && isObject(exec) && typeof exec['command'] !== 'string') {
      return [{ object, path: `${path}.user.exec.command`, message: 'is missing, or is not a text', remedy: COPY }];
    }
    return texts
      .filter((field) => typeof inner[field] !== 'string')
      .map((field) => ({
        object,
        path: `${path}.${part}.${field}`,
        message: 'is missing, or is not a text',
        remedy: COPY,
      }));
  });
}
