import * as pulumi from '@pulumi/pulumi';

/** The names under which the engine knows a resource: URNs without the environment and the project. */
export interface NamedResource {
  readonly urn: string;
  /** Names under which an earlier program may have registered it. */
  readonly aliases: readonly string[];
}

interface Identity {
  readonly name: string;
  readonly type: string;
  readonly parent: pulumi.Resource | undefined;
}

/** Notes the URN and the aliases of everything that the running program registers from here on. */
export function noteUrns(): readonly NamedResource[] {
  const types = new WeakMap<pulumi.Resource, string>();
  const noted: NamedResource[] = [];
  pulumi.runtime.registerStackTransformation(({ resource, type, name, opts }) => {
    const own = { type, name, parent: opts.parent };
    types.set(resource, qualified(own));
    // This program and Pulumi's SDKs write aliases as the parts that differ.
    const aliases = (opts.aliases ?? []) as readonly Partial<Identity>[];
    noted.push({ urn: urnOf(own), aliases: aliases.map((alias) => urnOf({ ...own, ...alias })) });
    return undefined;
  });
  return noted;

  function urnOf(resource: Identity): string {
    return `${qualified(resource)}::${resource.name}`;
  }

  /** The type of a resource, after those of all its parents. Parents' names are not part of a URN. */
  function qualified({ type, parent }: Identity): string {
    const outer = parent === undefined ? undefined : types.get(parent);
    return outer === undefined ? type : `${outer}$${type}`;
  }
}
