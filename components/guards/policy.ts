/** A check that the API server evaluates in CEL, with the words it refuses an object with. */
export interface Validation {
  readonly expression: string;
  readonly message?: string;
  readonly messageExpression?: string;
}

/** The part of a ValidatingAdmissionPolicy that differs from guard to guard. */
export interface Guard {
  readonly name: string;
  readonly resources: {
    readonly apiGroup: string;
    readonly apiVersions: readonly string[];
    readonly plurals: readonly string[];
  };
  /** When the guard has a say; every condition must hold. */
  readonly conditions: readonly { readonly name: string; readonly expression: string }[];
  readonly variables: readonly { readonly name: string; readonly expression: string }[];
  readonly validations: readonly Validation[];
}

/** A text as a CEL literal. */
export function celText(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** A list of texts as a CEL literal. */
export function celList(texts: readonly string[]): string {
  return `[${texts.map(celText).join(', ')}]`;
}

/** The spec of the ValidatingAdmissionPolicy that a guard stands for. */
export function policySpec(guard: Guard): object {
  const { apiGroup, apiVersions, plurals } = guard.resources;
  return {
    failurePolicy: 'Fail',
    matchConstraints: {
      resourceRules: [
        {
          apiGroups: [apiGroup],
          apiVersions: [...apiVersions],
          operations: ['CREATE', 'UPDATE'],
          resources: [...plurals],
        },
      ],
    },
    matchConditions: [...guard.conditions],
    variables: [...guard.variables],
    validations: [...guard.validations],
  };
}
