import * as pulumi from '@pulumi/pulumi';
import { childName } from '../components/child-name.ts';

/**
 * Finds the children of a component in states written before they were named after it. Components do not give such
 * aliases themselves: two components of one class would claim the same resource, which Pulumi refuses. This program has
 * one of each.
 *
 * It uses a transformation, not a transform, since that runs inside the program without a call by the engine (decision
 * 0079). No former name will be added: a child that is new gets an alias too, which finds nothing.
 */
export function withFormerNames(
  component: string,
  opts: pulumi.ComponentResourceOptions,
  former: Omit<pulumi.Alias, 'name'> = {},
): pulumi.ComponentResourceOptions {
  const prefix = childName(component, '');
  const rename: pulumi.ResourceTransformation = ({ name, props, opts: declared }) => {
    if (!name.startsWith(prefix)) return undefined;
    const alias = { ...former, name: name.slice(prefix.length) };
    return { props, opts: { ...declared, aliases: [...(declared.aliases ?? []), alias] } };
  };
  return { ...opts, transformations: [...(opts.transformations ?? []), rename] };
}

/** Alias of a child whose component is new: before, it was the child of no component. */
export const WITHOUT_COMPONENT: Omit<pulumi.Alias, 'name'> = { parent: pulumi.rootStackResource };
