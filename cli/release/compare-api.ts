import { crdIncompatibilities, type Definition } from '../../components/api/crd-compatibility.ts';
import { formatProblem } from '../../packages/lib/problem.ts';
import type { Finding } from './finding.ts';

/** What people can no longer say to the API, and what they can say now. */
export function compareApi(before: readonly Definition[], after: readonly Definition[]): Finding[] {
  return [
    ...before.flatMap((definition) => ofDefinition(definition, named(after, definition))),
    ...after
      .filter((definition) => named(before, definition) === undefined)
      .map((definition) => finding('addition', definition, 'spec', 'is new')),
  ];
}

function ofDefinition(before: Definition, after: Definition | undefined): Finding[] {
  if (after === undefined) return [finding('breaking', before, 'spec', 'is gone')];
  const lost = crdIncompatibilities(before, after);
  const narrowed = new Set(lost.map(({ path }) => path));
  // What the earlier definition would take away from the later one is what the later one adds.
  const gained = new Set(crdIncompatibilities(after, before).map(({ path }) => path));
  return [
    ...lost.map(({ path, message, value }) =>
      finding(
        'breaking',
        before,
        path,
        formatProblem({ path: '', message, ...(value === undefined ? {} : { value }) }),
      ),
    ),
    ...[...gained]
      .filter((path) => !narrowed.has(path))
      .map((path) => finding('addition', after, path, 'is new, or allows more')),
  ];
}

function named(list: readonly Definition[], { metadata }: Definition): Definition | undefined {
  return list.find((candidate) => candidate.metadata.name === metadata.name);
}

function finding(effect: Finding['effect'], { metadata }: Definition, path: string, message: string): Finding {
  return { area: 'api', effect, object: `CustomResourceDefinition ${metadata.name ?? ''}`, path, message };
}
