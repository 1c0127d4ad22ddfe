/**
 * The tag of images that are built from a checkout. They may be pushed to the registry of releases, so theirs can never be the tag of one:
 * a release has its version as tag.
 */
export const CHECKOUT_TAG = 'checkout';

/** The tag of a bundle that is built from a checkout; the version inside it is the plain one. */
export function checkoutBundleTag(version: string): string {
  return `${CHECKOUT_TAG}-${version}`;
}
