import { OPERATOR_NAMESPACE } from '../../../packages/api/operator-names.ts';
import { accountUser } from '../../../components/guards/writers.ts';
import { CONTROLLER } from '../../../components/olm/existing.ts';
import { names } from '../../../packages/lib/message.ts';
import { reachesPods } from '../rights/danger.ts';
import type { ClusterAccess } from '../facts.ts';
import { readHolders, type Holder } from '../rights/holder.ts';
import type { ObjectReader } from '../objects/object-reader.ts';
import { actsAsClusterAdmin, rulesGiven, unique, wayOf } from './access.ts';
import { expectation, type Expectation } from './writers.ts';
import type { Finding } from '../rule.ts';
import { subjectOf } from '../subject.ts';

/**
 * Who reaches the pods of OLM by a right that holds in every namespace: reading Secrets, opening pods, making workloads.
 * Many tools need such a right, so this is only a note. All notes are about one object, so they share a line.
 */
export function olmReach(access: ClusterAccess, listed: readonly string[]): Finding[] {
  const controller = access.controllers.find((each) => each.text('metadata', 'name') === CONTROLLER.name);
  if (controller === undefined) return [];
  const subject = subjectOf(controller);
  const power = actsAsClusterAdmin(access) ? ', which acts as cluster-admin,' : '';
  const expects = expectation(access, listed);
  return access.bindings
    .filter(({ kind }) => kind === 'ClusterRoleBinding')
    .flatMap((binding) => waysThrough(binding, access, expects))
    .sort()
    .map((way) => ({ subject, kind: 'note', message: `${subject.title}${power} can be reached through ${way}.` }));
}

/** `ClusterRoleBinding support (Group support: create on pods/exec)`. Other ways to write are reported elsewhere. */
function waysThrough(binding: ObjectReader, access: ClusterAccess, expects: Expectation): string[] {
  const rules = rulesGiven(binding, access);
  const rights = unique(rules.flatMap(reachesPods));
  const holders = readHolders(binding).filter(
    (holder) => expects(holder, binding) === undefined && !isOfOperators(holder),
  );
  if (rights.length === 0 || holders.length === 0 || wayOf(rules, true) !== undefined) return [];
  return [`${subjectOf(binding).title} (${names(holders.map(({ title }) => title))}: ${names(rights)})`];
}

/** The operators make the workloads of stacks in every namespace. The guards keep stacks out of those of the system. */
function isOfOperators({ name }: Holder): boolean {
  return name.startsWith(accountUser(OPERATOR_NAMESPACE, ''));
}
