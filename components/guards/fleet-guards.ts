import * as k8s from '@pulumi/kubernetes';
import * as pulumi from '@pulumi/pulumi';
import { childName } from '../child-name.ts';
import { guardObjects, guardsOf, type GuardAction } from './guard-objects.ts';
import type { Guard } from './policy.ts';
import type { Writers } from './writers.ts';

export interface FleetGuardsArgs {
  /** Majors that have an operator, or will have one after this run. */
  readonly majors: readonly number[];
  /** `deny` refuses objects that break a rule; `warn` lets them pass with a warning and an audit entry. */
  readonly action: GuardAction;
  /** Who may write ClusterExtensions and ClusterCatalogs; without it RBAC alone decides. */
  readonly writers?: Writers;
}

/** Rules that the API server itself holds everyone to, kubectl included. */
export class FleetGuards extends pulumi.ComponentResource {
  /** The names of the policies. */
  readonly policies: pulumi.Output<readonly string[]>;

  constructor(name: string, args: FleetGuardsArgs, opts?: pulumi.ComponentResourceOptions) {
    super('inference-stack-fleet:guards:FleetGuards', name, {}, opts);
    const guards = guardsOf(args.majors, args.writers);
    for (const guard of guards) this.guard(childName(name, guard.name), guard, args.action);
    this.policies = pulumi.output(guards.map((guard) => guard.name));
    this.registerOutputs({ policies: this.policies });
  }

  private guard(name: string, guard: Guard, action: GuardAction): void {
    const objects = guardObjects(guard, action);
    const policy = new k8s.admissionregistration.v1.ValidatingAdmissionPolicy(name, objects.policy, { parent: this });
    new k8s.admissionregistration.v1.ValidatingAdmissionPolicyBinding(
      name,
      objects.binding,
      // Bound last, removed first: a binding without its policy refuses nothing and confuses everyone.
      { parent: this, dependsOn: [policy] },
    );
  }
}
