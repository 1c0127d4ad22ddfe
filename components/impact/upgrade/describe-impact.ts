import { sentences } from '../../../packages/lib/message.ts';
import type { StackReport, UpgradeImpact } from './upgrade-impact.ts';

/** How much of a line is for stacks by name, before the rest is counted. */
const NAMED = 600;

/** What an upgrade does, in a line: `42 InferenceStacks: 39 unchanged, 2 change without a restart, …`. */
export function describeImpact(impact: UpgradeImpact): string {
  const { affected, stacks, unchanged, pods } = impact;
  const of = (kind: StackReport['kind']): readonly StackReport[] => affected.filter((each) => each.kind === kind);
  const [changed, replaced, refused, already] = [of('changed'), of('replaced'), of('refused'), of('refusedAlready')];
  const parts = [
    `${String(unchanged)} unchanged`,
    `${String(changed.length)} ${changed.length === 1 ? 'changes' : 'change'} without a restart`,
    `${String(replaced.length)} ${replaced.length === 1 ? 'replaces' : 'replace'} pods${named(replaced)}`,
    `${String(refused.length)} refused${named(refused)}`,
    ...(already.length === 0 ? [] : [`${String(already.length)} refused already`]),
  ];
  const counted = pods === 0 ? '' : `; ${pods === 1 ? '1 pod is' : `${String(pods)} pods are`} replaced`;
  return `${stacks === 1 ? '1 InferenceStack' : `${String(stacks)} InferenceStacks`}: ${parts.join(', ')}${counted}`;
}

function named(reports: readonly StackReport[]): string {
  return reports.length === 0 ? '' : ` (${sentences(reports, NAMED, describeStack)})`;
}

/** `team-a/chat: llama, because its arguments change` */
export function describeStack(report: StackReport): string {
  if (report.kind === 'replaced') {
    const groups = Map.groupBy(report.pods, ({ because }) => because);
    const whys = [...groups].map(([because, pods]) => {
      return `${pods.map(({ component }) => component).join(' and ')}, because ${because}`;
    });
    return `${report.stack}: ${whys.join(', ')}`;
  }
  return report.kind === 'refused' ? `${report.stack}: ${report.why[0] ?? ''}` : report.stack;
}

/** Kinds without which nobody knows which stacks there are, or whose pods go. */
const DECISIVE: readonly string[] = ['InferenceStack', 'ModelOrchestra', 'Deployment'];

/** Why the number of pods cannot be relied on; undefined if it can. */
export function decisiveGap({ unread }: UpgradeImpact): string | undefined {
  const kinds = unread.filter((kind) => DECISIVE.includes(kind));
  return kinds.length === 0 ? undefined : `you may not list ${kinds.join(', ')} in all namespaces`;
}

/** What is not known or not certain, in sentences; none if everything could be read, and the kernel isolated what was asked. */
export function describeGaps({ unread, affected, keptOut }: UpgradeImpact): readonly string[] {
  const pending = affected.filter((each) => each.pending === true).length;
  return [
    ...(unread.length === 0
      ? []
      : [`You may not list ${unread.join(', ')} in all namespaces, so nothing is known of them.`]),
    ...(pending === 0 ? [] : [`In ${String(pending)} of them, part of it is what their authors have just written.`]),
    ...describeIsolation(keptOut),
  ];
}

/** Who may not make namespaces has to know what is left: code inside of a process is no wall by itself. */
function describeIsolation(keptOut: UpgradeImpact['keptOut']): readonly string[] {
  if (keptOut.includes('files')) return [];
  const what = keptOut.includes('network') ? 'files and local sockets' : 'network, files and local sockets';
  return [
    `The kernel did not keep the ${what} of this machine from this version's code: only Node did, which is no security boundary.`,
  ];
}
