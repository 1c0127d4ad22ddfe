import * as k8s from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import { refuse } from '../../packages/lib/problem.ts';
import { childName } from '../child-name.ts';
import { mutableRules } from '../mutable-rules.ts';
import { definitionObject, PROTECT_API, stackRoleObject } from './api-objects.ts';
import { crdIncompatibilities, NEVER_ACCEPTED, type Definition } from './crd-compatibility.ts';
import { differingVersions } from './one-schema.ts';
import { stackRoles, type StackRole } from './stack-roles.ts';
import { unmetNeeds, type OperatorNeeds } from './unmet-needs.ts';

/** A CustomResourceDefinition as it is applied. */
export interface AppliedDefinition extends Definition {
  readonly metadata: {
    readonly name: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
}

export interface InferenceStackApiArgs {
  /** The definitions that this version of the fleet brings. */
  readonly definitions: readonly AppliedDefinition[];
  /** The definitions that the cluster has now; empty when it has none or cannot be asked. */
  readonly live: readonly Definition[];
  /** The operators of the fleet, installed and planned: none of them may lose what it needs. */
  readonly operators?: readonly OperatorNeeds[];
  /** Keeps `pulumi destroy` from touching the definitions, which is the default. */
  readonly protect?: boolean;
  /** Incompatible changes to accept, by the path that the refusal names. */
  readonly acceptChanges?: readonly string[];
}

/** The cluster may have it already: an earlier `down` has retained it, or the chart applied it. Either way it is taken over. */
const TAKE_OVER = { 'pulumi.com/patchForce': 'true' } as const;

/**
 * The InferenceStack API: its definitions, and roles for the people who write stacks. Pulumi owns it, because a bundle that
 * owned it would fight over it with every other major. It is retained whatever happens: deleting a definition deletes
 * the stacks of every team, and without the roles no team could delete a stack that was left behind.
 */
export class InferenceStackApi extends pulumi.ComponentResource {
  /** The names of the definitions. */
  readonly definitions: pulumi.Output<readonly string[]>;
  /** The names of the ClusterRoles for people. */
  readonly roles: pulumi.Output<readonly string[]>;

  constructor(name: string, args: InferenceStackApiArgs, opts?: pulumi.ComponentResourceOptions) {
    checkDefinitions(args);
    super('inference-stack-fleet:api:InferenceStackApi', name, {}, opts);
    for (const definition of args.definitions) {
      this.define(childName(name, definition.metadata.name), definition, args.protect ?? PROTECT_API);
    }
    const roles = args.definitions.flatMap(stackRoles);
    for (const role of roles) this.grant(childName(name, role.name), role);
    this.definitions = pulumi.output(args.definitions.map(({ metadata }) => metadata.name));
    this.roles = pulumi.output(roles.map((role) => role.name));
    this.registerOutputs({ definitions: this.definitions, roles: this.roles });
  }

  private define(child: string, definition: AppliedDefinition, protect: boolean): void {
    const object = definitionObject(definition);
    const forPulumi = { ...TAKE_OVER, 'pulumi.com/waitFor': 'condition=Established' };
    const annotations = { ...object.metadata.annotations, ...forPulumi };
    new k8s.apiextensions.CustomResource(
      child,
      { ...object, metadata: { ...object.metadata, annotations } },
      { parent: this, protect, retainOnDelete: true },
    );
  }

  private grant(child: string, role: StackRole): void {
    const { metadata, rules } = stackRoleObject(role);
    new k8s.rbac.v1.ClusterRole(
      child,
      { metadata: { ...metadata, annotations: TAKE_OVER }, rules: mutableRules(rules) },
      { parent: this, retainOnDelete: true },
    );
  }
}

/** Refuses definitions that would break existing stacks or an operator. */
function checkDefinitions({ definitions, live, operators = [], acceptChanges = [] }: InferenceStackApiArgs): void {
  const lost = definitions.flatMap((after) => {
    const before = live.find(({ metadata }) => metadata.name === after.metadata.name);
    return before === undefined ? [] : crdIncompatibilities(before, after);
  });
  // An operator whose API is gone stops silently, whatever people accept for their stacks.
  refuse([
    ...definitions.flatMap(differingVersions),
    ...lost.filter(({ path }) => path === NEVER_ACCEPTED || !acceptChanges.includes(path)),
    ...unmetNeeds(definitions, operators),
  ]);
}
