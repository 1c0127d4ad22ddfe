import * as pulumi from '@pulumi/pulumi';

/**
 * Any Kubernetes object, as a manifest holds it. The provider's own class for custom resources does not support the
 * core group, and the classes of built-in kinds cannot be chosen by the data of a manifest.
 */
export class ManifestResource extends pulumi.CustomResource {
  constructor(
    name: string,
    object: { readonly apiVersion: string; readonly kind: string; readonly [field: string]: unknown },
    opts: pulumi.CustomResourceOptions,
  ) {
    super(typeToken(object.apiVersion, object.kind), name, object, opts);
  }
}

/** The provider's name of a kind, in which the core group has a name. */
export function typeToken(apiVersion: string, kind: string): string {
  return `kubernetes:${apiVersion.includes('/') ? apiVersion : `core/${apiVersion}`}:${kind}`;
}
