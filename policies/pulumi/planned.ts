import type { PackageContent } from '../../components/catalog/served-catalog.ts';
import { isObject } from '../../packages/lib/json.ts';
import type { ClusterFacts, Facts, KnownCatalog, PlannedUpgrade } from '../knowledge/facts.ts';
import { known, ObjectReader, reveal } from '../knowledge/objects/object-reader.ts';
import { describeCatalog } from '../facts/cluster.ts';

/** The component that says what its catalog offers. That is known before its image exists. */
const FLEET_COMPONENT = 'inference-stack-fleet:fleet:OperatorFleet';

const CATALOG = 'kubernetes:olm.operatorframework.io/v1:ClusterCatalog';
const CLUSTER_ROLE = 'kubernetes:rbac.authorization.k8s.io/v1:ClusterRole';

/** The part of a program's resource that facts come from. */
interface Declared {
  readonly type: string;
  readonly props: unknown;
}

interface Content {
  readonly name: string;
  readonly packages: readonly PackageContent[];
}

/**
 * Combines what the program declares with what the cluster has. The program knows the content of a catalog that it
 * builds. A catalog whose image does not change keeps its content. The content of any other catalog is not known.
 */
export function planFacts(
  resources: readonly Declared[],
  cluster: ClusterFacts | undefined,
): Pick<Facts, 'catalogs' | 'cluster' | 'declaredRoles' | 'upgrades'> {
  const ofType = (type: string): ObjectReader[] =>
    resources.filter((resource) => resource.type === type).map(({ props }) => new ObjectReader(props));
  const contents = ofType(FLEET_COMPONENT).flatMap((component) => known(() => contentOf(component)) ?? []);
  const declared = [
    ...ofType(CATALOG).map((object) => withContent(describeCatalog(object), contents, cluster)),
    ...ofType(`${CATALOG}Patch`).map((object) => patchedCatalog(object, cluster)),
  ];
  const names = new Set(declared.map(({ name }) => name));
  const others = cluster?.catalogs.filter(({ name }) => !names.has(name)) ?? [];
  const declaredRoles = ofType(CLUSTER_ROLE).flatMap((role) => known(() => role.text('metadata', 'name')) ?? []);
  const upgrades = ofType(FLEET_COMPONENT).flatMap((component) => known(() => upgradesOf(component)) ?? []);
  return { catalogs: [...declared, ...others], declaredRoles, upgrades, ...(cluster === undefined ? {} : { cluster }) };
}

function contentOf(component: ObjectReader): Content[] {
  const name = component.text('catalogName');
  const content = reveal(component.value('content'));
  if (name === undefined || !isContent(content)) return [];
  // The digests of bundles that this run builds are not known yet; their names and versions are.
  const bundles = content.bundles.map((bundle) => ({
    ...bundle,
    image: typeof bundle.image === 'string' ? bundle.image : '',
  }));
  return [{ name, packages: [{ ...content, bundles }] }];
}

/** The program is our own, so what it says of its upgrades has this form. */
function upgradesOf(component: ObjectReader): readonly PlannedUpgrade[] {
  const upgrades = reveal(component.value('upgrades'));
  return Array.isArray(upgrades) ? (upgrades as readonly PlannedUpgrade[]) : [];
}

function isContent(value: unknown): value is PackageContent {
  return isObject(value) && isObject(value.package) && Array.isArray(value.channels) && Array.isArray(value.bundles);
}

function withContent(
  catalog: KnownCatalog,
  contents: readonly Content[],
  cluster: ClusterFacts | undefined,
): KnownCatalog {
  const built = contents.find(({ name }) => name === catalog.name);
  if (built !== undefined) return { ...catalog, packages: built.packages, isKnown: true, isPlanned: true };
  const live = cluster?.catalogs.find(({ name }) => name === catalog.name);
  const isSame = live?.isKnown === true && live.image !== undefined && live.image === catalog.image;
  return isSame ? { ...catalog, packages: live.packages, isKnown: true } : catalog;
}

/** A patch that keeps the image keeps the content. The content of any other image is not known. */
function patchedCatalog(object: ObjectReader, cluster: ClusterFacts | undefined): KnownCatalog {
  const patch = describeCatalog(object);
  const live = cluster?.catalogs.find(({ name }) => name === patch.name);
  if (live === undefined) return patch;
  const isLeft = known(() => !object.has('spec', 'source', 'image', 'ref')) ?? false;
  const isSame = isLeft || (patch.image !== undefined && patch.image === live.image);
  const { availabilityMode = live.availabilityMode } = patch;
  const priority = object.number('spec', 'priority') ?? live.priority;
  return {
    ...(isSame ? live : patch),
    labels: { ...live.labels, ...patch.labels },
    ...(priority === undefined ? {} : { priority }),
    ...(availabilityMode === undefined ? {} : { availabilityMode }),
  };
}
