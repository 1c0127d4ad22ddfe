import { isObject, objectAt } from '../../../packages/lib/json.ts';
import { type Problem, refuse } from '../../../packages/lib/problem.ts';
import { readYaml } from '../../../packages/lib/read-yaml.ts';

/** A repository of community operators, which gets a pull request from a fork. */
export interface Community {
  readonly repository: string;
  readonly fork: string;
}

/** A repository that carries this one, into whose branches a release is merged. */
export interface Merge {
  readonly repository: string;
  readonly branches: readonly string[];
}

export interface Downstream {
  readonly community: readonly Community[];
  readonly merges: readonly Merge[];
}

export const LIST = '.github/downstream.yaml';

const REPOSITORY = /^[\w.-]+\/[\w.-]+$/;
const BRANCH = /^[\w][\w./-]*$/;

/** Reads the list; throws with everything that is wrong. Its names become arguments of git. */
export function readDownstream(text: string, object = LIST): Downstream {
  const document = objectAt(readYaml(text, object));
  const problems: Problem[] = [];
  const expect = (path: string, value: unknown, form: RegExp, message: string, remedy: string): void => {
    if (typeof value !== 'string' || !form.test(value)) problems.push({ object, path, value, message, remedy });
  };
  const entries = (key: string): readonly Record<string, unknown>[] => {
    const value = document[key] ?? [];
    if (Array.isArray(value) && value.every(isObject)) return value;
    problems.push({ object, path: key, message: 'is not a list of repositories', remedy: 'Use [] for none.' });
    return [];
  };
  for (const key of Object.keys(document).filter((name) => !['community', 'merges'].includes(name))) {
    problems.push({ object, path: key, message: 'is not known', remedy: 'Use community or merges.' });
  }
  const repository = (path: string, value: unknown): void =>
    expect(path, value, REPOSITORY, 'is not a repository', 'Use owner/name.');
  const community = entries('community').map((entry, index) => {
    for (const field of ['repository', 'fork']) repository(`community[${index}].${field}`, entry[field]);
    return entry as unknown as Community;
  });
  const merges = entries('merges').map((entry, index) => {
    const path = `merges[${index}]`;
    repository(`${path}.repository`, entry['repository']);
    const branches = Array.isArray(entry['branches']) ? (entry['branches'] as readonly unknown[]) : [undefined];
    branches.forEach((branch, at) =>
      expect(`${path}.branches[${at}]`, branch, BRANCH, 'is not a branch', 'Name the branches in a list.'),
    );
    return entry as unknown as Merge;
  });
  refuse(problems);
  return { community, merges };
}
