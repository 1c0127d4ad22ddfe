import * as k8s from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import { childName } from '../child-name.ts';
import { isByDigest } from '../registry/reference.ts';
import { catalogObject, imageSource } from './catalog-object.ts';
import type { CatalogSource, Verified } from './catalog-source.ts';

export interface ClusterCatalogArgs {
  /** Name of the ClusterCatalog. */
  readonly name: string;
  /** The catalog image, by tag or, better, by digest. */
  readonly image: pulumi.Input<string>;
  /** Where its content comes from; policies judge by it. */
  readonly source: CatalogSource;
  /** The signature of the image, from `verifyImage`; policies judge by it. */
  readonly verified?: Verified;
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
    const object = catalogObject({
      name: args.name,
      source: args.source,
      priority: args.priority,
      verified: args.verified,
      image: this.image.apply((ref) => imageSource(ref, args.pollMinutes)),
    });
    const annotations = {
      ...object.metadata.annotations,
      'pulumi.com/waitFor': this.image.apply((ref) => JSON.stringify(readiness(ref))),
    };
    const catalog = new k8s.apiextensions.CustomResource(
      childName(name, args.name),
      { ...object, metadata: { ...object.metadata, annotations } },
      { parent: this, customTimeouts: { create: '5m', update: '5m' } },
    );
    this.served = catalog.id;
    this.registerOutputs({ image: this.image, served: this.served });
  }
}

/** `Serving` may still be about the previous image; a digest can be compared with what was resolved. */
function readiness(ref: string): readonly string[] {
  return ['condition=Serving', ...(isByDigest(ref) ? [`jsonpath={.status.resolvedSource.image.ref}=${ref}`] : [])];
}
