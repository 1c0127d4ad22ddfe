/**
 * The Pulumi name of a component's child. URNs contain only the types of parents: without the component's name, two
 * components of one class would claim the same resources.
 */
export function childName(component: string, child: string): string {
  return `${component}-${child}`;
}
