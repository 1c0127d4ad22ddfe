import * as pulumi from '@pulumi/pulumi';

/** A value that only a run can know. In a preview it is unknown, and nothing is done to find it. */
export function knownLater<T>(find: () => T | Promise<T>): pulumi.Output<T> {
  if (pulumi.runtime.isDryRun()) return unknownOutput();
  return pulumi.output(Promise.resolve(find())) as pulumi.Output<T>;
}

/** A value that nobody knows yet. */
export function unknownOutput<T>(): pulumi.Output<T> {
  return pulumi.output(pulumi.unknown) as unknown as pulumi.Output<T>;
}
