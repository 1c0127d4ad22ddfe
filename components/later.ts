import * as pulumi from '@pulumi/pulumi';

/** A value that only a run can know. In a preview it is unknown, and nothing is done to find it. */
export function knownLater<T>(find: () => T | Promise<T>): pulumi.Output<T> {
  if (pulumi.runtime.isDryRun()) return pulumi.output<T>(pulumi.unknown as unknown as T) as pulumi.Output<T>;
  return pulumi.output(Promise.resolve(find())) as pulumi.Output<T>;
}
