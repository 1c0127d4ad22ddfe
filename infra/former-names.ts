import * as pulumi from '@pulumi/pulumi';
import { childName } from '../components/child-name.ts';

/**
 * Lets the children of a component be found in states from before they were named after it. Components give no such aliases themselves: two
 * components of one class would claim the same resource, which Pulumi refuses. This program has one of each.
 */
export function withFormerNames(
  component: string,
  opts: pulumi.ComponentResourceOptions,
  former: Omit<pulumi.Alias, 'name'> = {},
): pulumi.ComponentResourceOptions {
  const prefix = childName(component, '');
  const rename: pulumi.ResourceTransformation = ({ name, props, opts: own }) => {
    if (!name.startsWith(prefix)) return undefined;
    const alias = { ...former, name: name.slice(prefix.length) };
    return { props, opts: { ...own, aliases: [...(own.aliases ?? []), alias] } };
  };
  return { ...opts, transformations: [...(opts.transformations ?? []), rename] };
}

/** Of a child whose component is new: it was no component's child before. */
export const WITHOUT_COMPONENT: Omit<pulumi.Alias, 'name'> = { parent: pulumi.rootStackResource };
