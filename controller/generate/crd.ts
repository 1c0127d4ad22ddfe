import { CATEGORIES, GROUP, type ResourceNames, STORAGE_VERSION, VERSIONS } from '../src/api/constants.ts';
import type { Schema } from '../src/api/schema.ts';

export interface CustomResourceDefinition {
  apiVersion: 'apiextensions.k8s.io/v1';
  kind: 'CustomResourceDefinition';
  metadata: { name: string };
  spec: object;
}

const PRINT_COLUMNS = [
  {
    name: 'Operator',
    type: 'string',
    description: 'The operator version asked for.',
    jsonPath: '.metadata.labels.operatorVersion',
  },
  {
    name: 'Applications',
    type: 'string',
    description: 'Ready applications of all.',
    jsonPath: '.status.applicationsReady',
  },
  {
    name: 'Ready',
    type: 'string',
    description: 'Whether everything runs as asked.',
    jsonPath: '.status.conditions[?(@.type=="Ready")].status',
  },
  { name: 'GPUs', type: 'integer', description: 'GPUs in use.', jsonPath: '.status.gpus' },
  { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
];

export function customResourceDefinition(names: ResourceNames, schema: Schema): CustomResourceDefinition {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${names.plural}.${GROUP}` },
    spec: {
      group: GROUP,
      names: { ...names, categories: CATEGORIES },
      scope: 'Namespaced',
      conversion: { strategy: 'None' },
      versions: VERSIONS.map((name) => ({
        name,
        served: true,
        storage: name === STORAGE_VERSION,
        additionalPrinterColumns: PRINT_COLUMNS,
        subresources: { status: {} },
        schema: { openAPIV3Schema: schema },
      })),
    },
  };
}
