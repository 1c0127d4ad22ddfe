/** A structural OpenAPI schema, with the extensions that Kubernetes knows. */
export interface Schema {
  description?: string;
  type?: 'object' | 'array' | 'string' | 'integer' | 'boolean';
  format?: 'int32' | 'int64' | 'date-time';
  nullable?: boolean;
  enum?: string[];
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  maxItems?: number;
  maxProperties?: number;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema;
  items?: Schema;
  required?: string[];
  'x-kubernetes-preserve-unknown-fields'?: true;
  'x-kubernetes-int-or-string'?: true;
  'x-kubernetes-list-type'?: 'map' | 'atomic';
  'x-kubernetes-list-map-keys'?: string[];
  'x-kubernetes-map-type'?: 'atomic';
  'x-kubernetes-validations'?: Validation[];
}

/** One CEL rule of a schema. */
export interface Validation {
  rule: string;
  message?: string;
  fieldPath?: string;
}
