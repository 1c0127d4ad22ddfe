/** The namespace of our settings in an environment's file: the project's name, as Pulumi.yaml has it. */
export const PROJECT = 'inference-stack-fleet';

/** The file with an environment's settings. Pulumi also takes `organization/project/name` for the name. */
export function environmentFileName(environment: string): string {
  return `Pulumi.${environment.split('/').at(-1) ?? environment}.yaml`;
}
