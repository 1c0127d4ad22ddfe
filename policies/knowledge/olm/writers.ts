import { writersOf } from '../../../components/guards/writers.ts';
import { names } from '../../../packages/lib/message.ts';
import type { ClusterAccess } from '../facts.ts';
import { isListed, readHolders, type Holder } from '../rights/holder.ts';
import type { ObjectReader } from '../objects/object-reader.ts';
import { grantsEverything, rulesGiven, userOf, wayOf, type Way } from './access.ts';
import type { Subject } from '../rule.ts';
import { subjectOf } from '../subject.ts';

/** A binding that lets somebody write ClusterExtensions or ClusterCatalogs. */
export interface OlmWriter {
  readonly subject: Subject;
  /** The holders that are not expected; all holders if every one is expected. */
  readonly holders: readonly Holder[];
  /** `ClusterRole editor`. */
  readonly role: string;
  readonly way: Way;
  /** Why all holders are expected; absent if one is not. */
  readonly expected?: string;
}

/** Every binding that lets its holders write them, by name. */
export function olmWriters(access: ClusterAccess, listed: readonly string[]): OlmWriter[] {
  const places = new Set(access.controllers.map((each) => each.text('metadata', 'namespace')));
  const expects = expectation(access, listed);
  return access.bindings
    .filter((each) => each.kind === 'ClusterRoleBinding' || places.has(each.text('metadata', 'namespace')))
    .flatMap((binding) => writerOf(binding, access, expects))
    .sort((a, b) => (a.subject.title < b.subject.title ? -1 : 1));
}

/** Why a holder is expected to have the role of a binding; undefined if it is not. */
export type Expectation = (holder: Holder, binding: ObjectReader) => string | undefined;

function writerOf(binding: ObjectReader, access: ClusterAccess, expects: Expectation): OlmWriter[] {
  const isOfCluster = binding.kind === 'ClusterRoleBinding';
  const rules = rulesGiven(binding, access);
  const holders = readHolders(binding);
  const way = wayOf(rules, isOfCluster);
  if (way === undefined || holders.length === 0) return [];
  const [kind = '', name = ''] = ['kind', 'name'].map((key) => binding.text('roleRef', key));
  const writer = { subject: subjectOf(binding), role: `${kind} ${name}`, way };
  if (isOfCluster && grantsEverything(rules)) return [{ ...writer, holders, expected: 'cluster-admin in any case' }];
  const reasons = holders.map((holder) => [holder, expects(holder, binding)] as const);
  const surprising = reasons.filter(([, reason]) => reason === undefined).map(([holder]) => holder);
  if (surprising.length > 0) return [{ ...writer, holders: surprising }];
  return [{ ...writer, holders, expected: [...new Set(reasons.map(([, reason]) => reason))].join(', ') }];
}

export function expectation(access: ClusterAccess, listed: readonly string[]): Expectation {
  const controllers = new Set(access.controllers.map(userOf));
  const lists = [writersOf(listed), ...(access.writers === undefined ? [] : [access.writers])];
  return (holder, binding) => {
    if (!holder.isGroup && controllers.has(holder.name)) return "OLM's own";
    if (isOfKubernetes(holder, binding)) return "Kubernetes' own";
    return lists.some((list) => isListed(holder, list)) ? 'listed' : undefined;
  };
}

/** The user name with which an API server talks to kubelets, as cluster installers choose it. */
const API_SERVER = 'kube-apiserver-kubelet-client';

/** Kubernetes gives each of its controllers a role of the controller's name. Cluster administrators count as its own, too. */
function isOfKubernetes({ title, isGroup, name }: Holder, binding: ObjectReader): boolean {
  if (isGroup) return name === 'system:masters';
  const [, controller] = /^system:controller:(.+)$/.exec(binding.text('metadata', 'name') ?? '') ?? [];
  return (
    name.startsWith('system:kube-') || name === API_SERVER || title === `ServiceAccount kube-system/${controller ?? ''}`
  );
}

/** What a binding does, said after `should not let` or `lets`. */
export function describeWriter({ holders, role, way }: OlmWriter): string {
  const whom = names(holders.map(({ title }) => title));
  const what = way.isDirect
    ? 'write ClusterExtensions or ClusterCatalogs'
    : 'take the rights of those who write ClusterExtensions or ClusterCatalogs';
  return `${whom} ${what} (${names(way.rights)}, by ${role})`;
}
