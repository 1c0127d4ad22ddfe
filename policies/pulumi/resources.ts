import { known, ObjectReader, PARTIAL, shallow, UnknownValue } from '../knowledge/objects/object-reader.ts';
import type { Subject } from '../knowledge/rule.ts';
import { titleOf } from '../knowledge/subject.ts';
import type { Resource } from './clusters.ts';

/** The Kubernetes objects of a Pulumi program. A list stands for the objects in it. */
export function subjectsOf(resources: readonly Resource[]): Subject[] {
  return resources.flatMap((resource) => {
    const kind = kindOf(resource);
    if (kind === undefined) return [];
    const { urn, name } = resource;
    return objectsOf(resource, kind).map((object) => ({
      object,
      title: titleOf(object, name),
      urn,
      protect: resource.opts.protect,
      ...(kind.isPatch ? { patch: object } : {}),
    }));
  });
}

/** The kind of a resource, from its own fields or from its type. */
interface DeclaredKind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly isPatch: boolean;
}

/** `kubernetes:<group>/<version>:<kind>`, where Pulumi calls the core group `core`, and adds `Patch` for a patch. */
const TYPE = /^kubernetes:(?:core\/)?([^:]+):([^:]+?)(Patch)?$/;

/** Pulumi's own types that make objects. Those objects are resources themselves. */
const MAKERS = /^(?:helm\.sh|yaml|kustomize)\b/;

/** The kind of an object. Its own field wins, since a program may have kinds that end in `Patch`. */
function kindOf({ type, props }: Resource): DeclaredKind | undefined {
  const [, version, base, suffix = ''] = TYPE.exec(type) ?? [];
  if (version === undefined || base === undefined || MAKERS.test(version)) return undefined;
  const object = new ObjectReader(props);
  const [apiVersion = version, kind = base] = ['apiVersion', 'kind'].map((key) => known(() => object.text(key)));
  return { apiVersion, kind, isPatch: suffix !== '' && kind !== `${base}${suffix}` };
}

const LIST = 'List';

function objectsOf({ props }: Resource, { apiVersion, kind }: DeclaredKind): ObjectReader[] {
  const object = new ObjectReader(withKind(props, apiVersion, kind));
  if (!kind.endsWith(LIST) || known(() => object.has('items')) === false) return [object];
  const itemKind = kind.slice(0, -LIST.length);
  const items = known(() => object.list('items'));
  if (items === undefined) return [unknownObject(apiVersion, itemKind, 'items')];
  return items.map((item) => {
    const value = known(() => item.value());
    if (value === undefined) return unknownObject(apiVersion, itemKind, item.path);
    return new ObjectReader(withKind(value, apiVersion, itemKind));
  });
}

/** The object with its kind, taken from Pulumi's type if the object does not say it. */
function withKind(value: unknown, apiVersion: string, kind: string): unknown {
  const object = new ObjectReader(value);
  const isSaid = ['apiVersion', 'kind'].every((key) => known(() => object.text(key)) !== undefined);
  if (isSaid) return value;
  return { ...shallow(value), apiVersion, kind };
}

/** Some object of a kind: every field of it is unknown. */
function unknownObject(apiVersion: string, kind: string, path: string): ObjectReader {
  return new ObjectReader({ apiVersion, kind, [PARTIAL]: UnknownValue.at(path).message });
}
