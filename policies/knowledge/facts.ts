import type { PackageContent, ServedCatalog } from '../../components/catalog/served-catalog.ts';
import type { Writers } from '../../components/guards/writers.ts';
import type { ObjectReader } from './objects/object-reader.ts';

/** What rules know beyond the objects themselves. */
export interface Facts {
  /** The catalogs after the update, with their content as far as it is known. */
  readonly catalogs: readonly KnownCatalog[];
  /** The names of the ClusterRoles that the program declares. Those are judged as objects. */
  readonly declaredRoles?: readonly string[];
  /** What the lock says was released; absent when there is none. */
  readonly released?: readonly PackageContent[];
  /** What the cluster holds; absent when none was reachable, as in a pull request from a fork. */
  readonly cluster?: ClusterFacts;
  /** Operators that get another version, and what that does, as far as the program has found it out. */
  readonly upgrades?: readonly PlannedUpgrade[];
  /** Why there is no cluster. */
  readonly noCluster?: string;
}

/** An operator that gets another version, and what becomes of the stacks that it serves. */
export interface PlannedUpgrade {
  readonly major: number;
  readonly from: string;
  readonly to: string;
  /** Pods that are replaced or ended. */
  readonly pods: number;
  /** Stacks that the new version refuses, and the present one does not. */
  readonly refused: readonly string[];
  /** Why the impact is not known. */
  readonly unknown?: string;
  /** Whether the environment's settings accept it. */
  readonly accepted: boolean;
}

export interface KnownCatalog extends ServedCatalog {
  /** True if `packages` is what the catalog serves; false if it is empty because nobody knows. */
  readonly isKnown: boolean;
  /** Why reading the content failed, if it was tried. */
  readonly unread?: string;
  /** True if `packages` is what the program is about to add, not what is there now. */
  readonly isPlanned?: boolean;
  /** The image that the catalog is to serve, by tag or digest. */
  readonly image?: string;
}

export interface ClusterFacts {
  readonly extensions: readonly ObjectReader[];
  readonly definitions: readonly ObjectReader[];
  /** What catalogd serves now. */
  readonly catalogs: readonly KnownCatalog[];
  /** Other objects that the program patches, if they could be read. */
  readonly patched?: readonly ObjectReader[];
  /** Every ClusterRole, if the program binds one and they could be read. */
  readonly clusterRoles?: readonly ObjectReader[];
  /** Who may do what in the whole cluster, for an audit. */
  readonly access?: ClusterAccess;
}

/** Everybody's roles and bindings, and what is needed to judge them. */
export interface ClusterAccess {
  readonly clusterRoles: readonly ObjectReader[];
  readonly roles: readonly ObjectReader[];
  /** ClusterRoleBindings and RoleBindings. */
  readonly bindings: readonly ObjectReader[];
  /** OLM's controllers, in whatever namespace. */
  readonly controllers: readonly ObjectReader[];
  /** The writers that the guard of `olm.writers` admits; absent if no guard refuses the others. */
  readonly writers?: Writers;
}
