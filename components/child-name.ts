/**
 * The Pulumi name of a component's child. Every program has one namespace of URNs, in which parents count by their type only: without
 * the component's name two components of one class would claim the same resources.
 */
export function childName(component: string, child: string): string {
  return `${component}-${child}`;
}
