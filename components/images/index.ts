// Images that a program builds and pushes.

export { BundleImage, type BundleImageArgs } from './bundle-image.ts';
export { CatalogImage, type CatalogImageArgs } from './catalog-image.ts';
export { CheckoutCatalog, type CheckoutCatalogArgs } from './checkout-catalog.ts';
export { ContainerImage, type ContainerImageArgs, type ImageBuildSettings } from './container-image.ts';
export type { ImageFacts } from './image-spec.ts';
export { sourceRevision, type SourceRevision } from './source-revision.ts';
export type { BuildArgs } from './text-image.ts';
export { parseTemplate, type SemverTemplate } from '../catalog/template.ts';
