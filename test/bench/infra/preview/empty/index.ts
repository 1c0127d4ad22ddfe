import * as pulumi from '@pulumi/pulumi';

/** A Pulumi program without resources, as `pulumi new` makes it: what a preview costs before anything of ours runs. */
export const project: string = pulumi.getProject();
