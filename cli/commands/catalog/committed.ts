/** The committed files of the production catalog, and the development template, relative to the checkout. */
export const TEMPLATE = 'catalog/operator_catalog.yaml';
export const DEV_TEMPLATE = 'catalog/operator_catalog_dev.yaml';
export const LOCK = 'catalog/catalog.lock.yaml';
export const DEPRECATIONS = 'catalog/deprecations.yaml';
