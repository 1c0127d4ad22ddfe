import type { Problem } from '../../packages/lib/problem.ts';
import type { ApiNeed } from '../bundle/api-needs.ts';
import type { Definition } from './crd-compatibility.ts';

/** An operator of the fleet, as installed or as planned, and what it needs to be served. */
export interface OperatorNeeds {
  /** The bundle's name, e.g. `inference-stack-operator.v1.2.0`. */
  readonly operator: string;
  readonly needs: readonly ApiNeed[];
}

/** Every operator whose API would be gone: it would start, see nothing, and silently leave its stacks alone. */
export function unmetNeeds(definitions: readonly Definition[], operators: readonly OperatorNeeds[]): Problem[] {
  return operators.flatMap(({ operator, needs }) =>
    needs.flatMap(({ definition, version }) => {
      const found = definitions.find(({ metadata }) => metadata.name === definition);
      if (found?.spec.versions.some(({ name, served }) => name === version && served) === true) return [];
      return [
        {
          object: `CustomResourceDefinition ${definition}`,
          path: `spec.versions[${version}]`,
          message: `is not served, but ${operator} needs it`,
          remedy: remedyFor(definition, definitions),
        },
      ];
    }),
  );
}

/** The operator may be right for its cluster, and this process be told another group, or none. */
function remedyFor(needed: string, definitions: readonly Definition[]): string {
  const wanted = groupOf(needed);
  const brought = definitions.map(({ metadata: { name = '' } }) => groupOf(name)).find((group) => group !== wanted);
  if (brought === undefined) return 'Serve it until no operator of the fleet needs it.';
  return `Set INFERENCE_STACK_API_GROUP=${wanted}, or use a catalog whose operators were built for ${brought}.`;
}

/** The name of every CRD is its plural, a dot and its group. */
function groupOf(definition: string): string {
  return definition.slice(definition.indexOf('.') + 1);
}
