/** The namespace of our settings in an environment's file: the project's name, as Pulumi.yaml has it. */
export const PROJECT = 'inference-stack-fleet';

/** The variable by which `fleet` tells the program which file it has read the settings from. */
export const SETTINGS_FILE_VARIABLE = 'INFERENCE_STACK_SETTINGS_FILE';

/** The file with an environment's settings. Pulumi also takes `organization/project/name` for the name. */
export function environmentFileName(environment: string): string {
  return `Pulumi.${environment.split('/').at(-1) ?? environment}.yaml`;
}
