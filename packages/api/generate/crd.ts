import { CATEGORIES, GROUP, type ResourceNames, STORAGE_VERSION, VERSIONS } from '../constants.ts';
import type { Schema } from '../schema.ts';

export interface CustomResourceDefinition {
  apiVersion: 'apiextensions.k8s.io/v1';
  kind: 'CustomResourceDefinition';
  metadata: { name: string };
  spec: object;
}

/** What `kubectl get` shows. */
export const PRINT_COLUMNS = [
  {
    name: 'Operator',
    type: 'string',
    description: 'Version of the operator that serves the stack; empty while none does.',
    jsonPath: '.status.operatorVersion',
  },
  {
    name: 'Applications',
    type: 'string',
    description: 'Ready applications out of all.',
    jsonPath: '.status.applicationsReady',
  },
  {
    name: 'Ready',
    type: 'string',
    description: 'Whether everything runs as the spec says.',
    jsonPath: '.status.conditions[?(@.type=="Ready")].status',
  },
  { name: 'GPUs', type: 'integer', description: 'GPUs that its pods hold on their nodes.', jsonPath: '.status.gpus' },
  {
    name: 'Age',
    type: 'date',
    description: 'Time since the stack was created.',
    jsonPath: '.metadata.creationTimestamp',
  },
  {
    name: 'Message',
    type: 'string',
    description: 'Why the stack is ready, or not. Only with `-o wide`.',
    // Too long for most terminals beside the others.
    priority: 1,
    jsonPath: '.status.conditions[?(@.type=="Ready")].message',
  },
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
