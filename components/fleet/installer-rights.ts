import { refuse, type Problem } from '../../packages/lib/problem.ts';
import type { PolicyRule } from '../../packages/kube/policy-rule.ts';
import { resourceKindOf, type ResourceKind } from './resource-kinds.ts';

/** An object that OLM creates when it installs a bundle. */
export interface BundleObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly rules?: readonly PolicyRule[];
}

/** Everything an installer may do: all over the cluster, and in the operators' namespace. */
export interface InstallerRights {
  readonly cluster: readonly PolicyRule[];
  readonly namespace: readonly PolicyRule[];
}

interface Known {
  readonly kind: ResourceKind;
  readonly object: BundleObject;
}

/**
 * Exactly the rights that installing, upgrading and removing these objects needs: those of the installed and of the
 * wanted bundle together, since an upgrade deletes objects of the one and creates objects of the other. Nobody can grant
 * what they do not have, so the operator's own rules are part of it; `escalate` and `bind` are not.
 */
export function installerRights(extension: string, objects: readonly BundleObject[]): InstallerRights {
  const known = knownKinds(extension, objects);
  const rules = objects.filter((object) => object.rules !== undefined);
  const granted = (kind: string): readonly PolicyRule[] =>
    rules.filter((object) => object.kind === kind).flatMap((object) => object.rules ?? []);
  return {
    cluster: distinct([
      { ...rule('olm.operatorframework.io', 'clusterextensions/finalizers', ['update']), resourceNames: [extension] },
      ...byResource(known).flatMap(([kind, names]) => clusterRules(kind, names)),
      ...granted('ClusterRole'),
    ]),
    namespace: distinct([
      ...byResource(known).flatMap(([kind, names]) => namespaceRules(kind, names)),
      ...granted('Role'),
    ]),
  };
}

/** OLM watches what it installed all over the cluster, whatever its namespace. A name cannot restrict that. */
function clusterRules(kind: ResourceKind, names: readonly string[]): readonly PolicyRule[] {
  const watching = rule(kind.apiGroup, kind.resource, ['list', 'watch']);
  return kind.namespaced ? [watching] : [watching, ...managing(kind, names)];
}

function namespaceRules(kind: ResourceKind, names: readonly string[]): readonly PolicyRule[] {
  return kind.namespaced ? managing(kind, names) : [];
}

/** The authorizer does not know the name of an object being created; every other verb is restricted to names. */
function managing({ apiGroup, resource }: ResourceKind, resourceNames: readonly string[]): readonly PolicyRule[] {
  return [
    rule(apiGroup, resource, ['create']),
    { ...rule(apiGroup, resource, ['get', 'update', 'patch', 'delete']), resourceNames },
  ];
}

function byResource(known: readonly Known[]): readonly (readonly [ResourceKind, readonly string[]])[] {
  const kinds = [...new Set(known.map(({ kind }) => kind))].sort((a, b) => key(a).localeCompare(key(b)));
  return kinds.map((kind) => {
    const names = known.filter((each) => each.kind === kind).map(({ object }) => object.metadata.name);
    return [kind, [...new Set(names)].sort()];
  });
}

function knownKinds(extension: string, objects: readonly BundleObject[]): readonly Known[] {
  const problems: Problem[] = [];
  const known = objects.flatMap((object) => {
    const kind = resourceKindOf(object.apiVersion, object.kind);
    if (kind !== undefined) return [{ kind, object }];
    problems.push({
      object: `bundle of ${extension}`,
      path: `${object.kind} ${object.metadata.name}`,
      value: object.apiVersion,
      message: 'is of a kind whose rights are not known',
      remedy: 'Add the kind to components/fleet/resource-kinds.ts, or leave the object out of the bundle.',
    });
    return [];
  });
  refuse(problems);
  return known;
}

function rule(apiGroup: string, resource: string, verbs: readonly string[]): PolicyRule {
  return { apiGroups: [apiGroup], resources: [resource], verbs };
}

function key(kind: ResourceKind): string {
  return `${kind.apiGroup}/${kind.resource}`;
}

function distinct(rules: readonly PolicyRule[]): readonly PolicyRule[] {
  return [...new Map(rules.map((each) => [JSON.stringify(each), each])).values()];
}
