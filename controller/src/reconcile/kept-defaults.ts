import { OPERATOR_DEFAULTS } from '../../../packages/api/defaults.ts';
import { GATEWAY } from '../../../packages/api/names.ts';
import type { Application, FrozenDefaults, InferenceStack } from '../../../packages/api/types.ts';
import type { OwnedKinds } from '../../../packages/kube/apply/owned.ts';
import { objectKey } from '../../../packages/kube/object.ts';
import { definedOnly, isEmpty } from '../../../packages/lib/values.ts';
import { namePrefix } from '../../../packages/render/names.ts';
import type { LiveDeployment } from './live-deployment.ts';
import { stackKeyOf } from './stack-view.ts';

/** The objects that stacks have, as far as they are known. */
interface Known {
  readonly owned: Pick<OwnedKinds<LiveDeployment>, 'get'>;
}

/**
 * The defaults that a stack keeps: those that its status has, else those of what it runs, else this operator's. A stack that comes back from
 * a backup has no status, and would otherwise be changed to the newest versions.
 */
export function keptDefaults(stack: InferenceStack, { owned }: Known): FrozenDefaults {
  const recorded = stack.status?.defaults;
  const live = liveDefaults(stack, owned);
  const revisions = { ...live.revisions, ...recorded?.revisions };
  return { ...OPERATOR_DEFAULTS, ...live, ...recorded, ...(isEmpty(revisions) ? {} : { revisions }) };
}

/** A stack's Deployment, and whether it was made for an earlier stack of the name, and is about to be deleted. */
interface Found extends LiveDeployment {
  readonly leftover: boolean;
}

/** What the stack's Deployments were made from. A gateway without a table is one of the kind takeoff. */
function liveDefaults(stack: InferenceStack, owned: Known['owned']): Partial<FrozenDefaults> {
  const { gateway: wanted, applicationTemplate: template, applications } = stack.spec;
  const gateway = findDeployment(stack, GATEWAY, owned);
  const found = [gateway];
  const revisions: Record<string, number> = {};
  // A revision that the spec names is not one that the stack keeps.
  const isNamed = (revision: Application['engineRevision'] | null): boolean => (revision ?? undefined) !== undefined;
  if (gateway?.table?.table === 'onwards' && !isNamed(wanted?.revision)) {
    revisions['onwards'] = gateway.table.revision;
  }
  for (const [name, application] of Object.entries<Application | null>(applications ?? {})) {
    const live = findDeployment(stack, name, owned);
    found.push(live);
    const engine = application?.engine ?? template?.engine;
    if (live?.table === undefined || live.table.table !== engine) continue;
    if (isNamed(application?.engineRevision ?? template?.engineRevision)) continue;
    revisions[engine] ??= live.table.revision;
  }
  return definedOnly({
    runtimeVersion: found.find((live) => live?.runtimeVersion !== undefined)?.runtimeVersion,
    // Nobody is refused because of a gateway that is about to go.
    gateway: gateway === undefined || gateway.leftover ? undefined : kindOf(gateway),
    revisions: isEmpty(revisions) ? undefined : revisions,
  });
}

function kindOf({ table }: LiveDeployment): FrozenDefaults['gateway'] {
  return table?.table === 'onwards' ? 'onwards' : 'takeoff';
}

/**
 * A Deployment that names this stack: as its controller, or by a label if it has none. After a restore the controller's uid is that of the
 * stack before, or there is no controller at all.
 */
function findDeployment(stack: InferenceStack, suffix: string, owned: Known['owned']): Found | undefined {
  const { name, namespace, uid } = stack.metadata;
  const live = owned.get('Deployment', objectKey({ namespace, name: `${namePrefix(name, stack.spec)}-${suffix}` }));
  if (live?.details === undefined) return undefined;
  const { controller, owner, details } = live;
  if (owner !== (controller === undefined ? objectKey({ namespace, name }) : stackKeyOf(stack))) return undefined;
  return { ...details, leftover: controller !== undefined && controller.uid !== uid };
}
