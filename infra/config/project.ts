/** The namespace of our settings in a stack's configuration: the project's name, as Pulumi.yaml has it. */
export const PROJECT = 'inference-stack-fleet';
