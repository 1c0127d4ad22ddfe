import { objectKey, type KubernetesObject } from '../../../packages/kube/object.ts';
import type { Capabilities } from '../../../packages/render/model.ts';
import { isolation, type Isolation, type Limits } from '../contained/containment.ts';
import { askVersion, type AskableVersion } from './ask-version.ts';
import { judgedStack, judgeStack, type StackImpact } from './judge-stack.ts';
import type { LiveObjects } from './live-objects.ts';
import { asksFor, everyStack, type ReadClient } from './question.ts';

/** What would become of one stack. */
export type StackReport = StackImpact & {
  /** `namespace/name` */
  readonly stack: string;
  /** Part of it is what the stack's author has just written. */
  readonly pending?: true;
};

/** What another version of an operator would do to the stacks of its major. */
export interface UpgradeImpact {
  readonly major: number;
  /** The installed version. */
  readonly from: string;
  readonly to: string;
  /** How many stacks were judged. */
  readonly stacks: number;
  readonly unchanged: number;
  /** All that are not left as they are. */
  readonly affected: readonly StackReport[];
  /** Pods that would be replaced or ended. */
  readonly pods: number;
  /** Kinds that may not be read, so that nothing is known of them. */
  readonly unread: readonly string[];
  /** What the kernel of this machine kept out while the version's code ran. */
  readonly keptOut: Isolation['keepsOut'];
}

/** What the question needs to know of a cluster; the same for every operator. */
export interface LiveCluster {
  readonly client: ReadClient;
  readonly objects: LiveObjects;
  readonly capabilities: Capabilities;
}

/** Asks a version what it would make of every stack of its major, and compares that with what the cluster has. */
export async function upgradeImpact(
  cluster: LiveCluster,
  { major, from, version }: { readonly major: number; readonly from: string; readonly version: AskableVersion },
  limits?: Limits,
): Promise<UpgradeImpact> {
  const unread = new Set(cluster.objects.unread);
  const affected: StackReport[] = [];
  let stacks = 0;
  const live = stacksOf(cluster.client, major, (kind) => unread.add(kind));
  for await (const { stack, answer } of askVersion(version, cluster.capabilities, live, judgedStack, limits)) {
    stacks += 1;
    const impact = judgeStack(stack, answer, cluster.objects.of(stack), cluster.objects.unread);
    if (impact.kind === 'unchanged') continue;
    affected.push({ stack: objectKey(stack), ...impact, ...(stack.pending ? { pending: true } : {}) });
  }
  affected.sort((one, other) => (one.stack < other.stack ? -1 : 1));
  const pods = affected.reduce((sum, report) => sum + podsOf(report), 0);
  const unchanged = stacks - affected.length;
  const { keepsOut: keptOut } = await isolation();
  return { major, from, to: version.version, stacks, unchanged, affected, pods, unread: [...unread].sort(), keptOut };
}

function podsOf(report: StackImpact): number {
  return report.kind === 'replaced' ? report.pods.reduce((sum, { pods }) => sum + pods, 0) : 0;
}

async function* stacksOf(
  client: ReadClient,
  major: number,
  onUnread: (kind: string) => void,
): AsyncGenerator<KubernetesObject> {
  for await (const stack of everyStack(client, onUnread)) {
    if (asksFor(stack, major) && stack.metadata.deletionTimestamp === undefined) yield stack;
  }
}
