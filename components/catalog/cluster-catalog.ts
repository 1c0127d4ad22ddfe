import * as k8s from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import { MANAGED_BY } from '../../packages/api/labels.ts';
import { childName } from '../child-name.ts';
import { isByDigest } from '../registry/reference.ts';
import { CATALOG_SOURCE_LABEL } from './catalog-source.ts';
import type { CatalogSource } from './catalog-source.ts';
import { CATALOG_NAME_LABEL } from './served-catalog.ts';

export interface ClusterCatalogArgs {
  /** Name of the ClusterCatalog. */
  readonly name: string;
  /** The catalog image, by tag or, better, by digest. */
  readonly image: pulumi.Input<string>;
  /** Where its content comes from; policies judge by it. */
  readonly source: CatalogSource;
  /** How often catalogd looks for a new image behind a tag, 15 by default. */
  readonly pollMinutes?: number;
  /** Which catalog wins when several offer the package: the higher, 0 by default. */
  readonly priority?: number;
}

/** A catalog that OLM serves, ready when catalogd serves the wanted image. */
export class ClusterCatalog extends pulumi.ComponentResource {
  /** The image that is served. */
  readonly image: pulumi.Output<string>;
  /** Known when catalogd serves that image. */
  readonly served: pulumi.Output<unknown>;

  constructor(name: string, args: ClusterCatalogArgs, opts?: pulumi.ComponentResourceOptions) {
    super('inference-stack-fleet:catalog:ClusterCatalog', name, {}, opts);
    this.image = pulumi.output(args.image);
    const catalog = new k8s.apiextensions.CustomResource(
      childName(name, args.name),
      {
        apiVersion: 'olm.operatorframework.io/v1',
        kind: 'ClusterCatalog',
        metadata: {
          name: args.name,
          // catalogd's webhook would add the name label. Setting it here lets the catalog be applied before the webhook answers.
          labels: { ...MANAGED_BY, [CATALOG_NAME_LABEL]: args.name, [CATALOG_SOURCE_LABEL]: args.source },
          annotations: { 'pulumi.com/waitFor': this.image.apply((ref) => JSON.stringify(readiness(ref))) },
        },
        spec: {
          priority: args.priority ?? 0,
          source: { type: 'Image', image: this.image.apply((ref) => imageSource(ref, args.pollMinutes ?? 15)) },
        },
      },
      { parent: this, customTimeouts: { create: '5m', update: '5m' } },
    );
    this.served = catalog.id;
    this.registerOutputs({ image: this.image, served: this.served });
  }
}

/** OLM refuses a poll interval for a digest, which never changes. */
function imageSource(ref: string, pollIntervalMinutes: number): object {
  return isByDigest(ref) ? { ref } : { ref, pollIntervalMinutes };
}

/** `Serving` may still be about the previous image; a digest can be compared with what was resolved. */
function readiness(ref: string): readonly string[] {
  return ['condition=Serving', ...(isByDigest(ref) ? [`jsonpath={.status.resolvedSource.image.ref}=${ref}`] : [])];
}
