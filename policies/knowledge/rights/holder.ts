import { accountUser, admits, type Writers } from '../../../components/guards/writers.ts';
import type { ObjectReader } from '../objects/object-reader.ts';

/** Somebody whom a binding gives its role. */
export interface Holder {
  /** `Group platform`, `ServiceAccount ci/deployer`. */
  readonly title: string;
  readonly isGroup: boolean;
  /** The name by which the API server knows the user or group. */
  readonly name: string;
}

/** The subjects of a binding. An account without a namespace is in that of the binding. */
export function readHolders(binding: ObjectReader): Holder[] {
  return binding.list('subjects').map((subject) => {
    const [kind = '', name = ''] = [subject.text('kind'), subject.text('name')];
    if (kind !== 'ServiceAccount') return { title: `${kind} ${name}`, isGroup: kind === 'Group', name };
    const namespace = subject.text('namespace') ?? binding.text('metadata', 'namespace') ?? '';
    return { title: `${kind} ${namespace}/${name}`, isGroup: false, name: accountUser(namespace, name) };
  });
}

/** Whether a list admits everybody that the holder stands for. */
export function isListed({ isGroup, name }: Holder, writers: Writers): boolean {
  return isGroup ? writers.groups.includes(name) : admits(writers, { username: name, groups: groupsOf(name) });
}

/** Whether the holder is the account, or a group that it is in. */
export function includesAccount({ isGroup, name }: Holder, user: string): boolean {
  return isGroup ? groupsOf(user).includes(name) : name === user;
}

/** The groups that the API server adds to every user, and to every ServiceAccount. */
function groupsOf(user: string): string[] {
  const namespace = /^system:serviceaccount:([^:]+):/.exec(user)?.[1];
  const accounts = 'system:serviceaccounts';
  return ['system:authenticated', ...(namespace === undefined ? [] : [accounts, `${accounts}:${namespace}`])];
}
