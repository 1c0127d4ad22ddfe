/** A check that the API server evaluates in CEL, and the message with which it refuses an object. */
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
  /** The operations that the guard checks; by default, CREATE and UPDATE. */
  readonly operations?: readonly ('CREATE' | 'UPDATE' | 'DELETE')[];
  /** When the guard applies; every condition must hold. */
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

const TEXT = /'((?:[^'\\]|\\.)*)'/g;
const LIST = new RegExp(`^\\[(?:${TEXT.source}(?:, (?=')|(?=\\])))*\\]$`);

/** The texts of a list literal, as `celList` writes it; nothing for any other expression. */
export function celTexts(expression: string): string[] | undefined {
  if (!LIST.test(expression)) return undefined;
  return [...expression.matchAll(TEXT)].map(([, text = '']) => text.replaceAll(/\\(.)/g, '$1'));
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
          operations: [...(guard.operations ?? ['CREATE', 'UPDATE'])],
          resources: [...plurals],
        },
      ],
    },
    matchConditions: [...guard.conditions],
    variables: [...guard.variables],
    validations: [...guard.validations],
  };
}
