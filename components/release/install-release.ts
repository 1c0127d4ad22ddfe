import * as pulumi from '@pulumi/pulumi';
import { InferenceStackApi } from '../api/inference-stack-api.ts';
import { ClusterCatalog } from '../catalog/cluster-catalog.ts';
import { describePlan } from '../fleet/describe-plan.ts';
import { FleetAccess } from '../fleet/fleet-access.ts';
import { operatorNeeds } from '../fleet/operator-needs.ts';
import { OperatorFleet } from '../fleet/operator-fleet.ts';
import { FleetGuards } from '../guards/fleet-guards.ts';
import { OlmV1 } from '../olm/olm-v1.ts';
import { ProblemsError } from '../../packages/lib/problem.ts';
import { decideRelease, type ReleaseDecision } from './decide-release.ts';
import type { ReleaseArgs } from './release-args.ts';

/**
 * Installs released operators from a published catalog: OLM, the InferenceStack API, the guards, the catalog and one operator per major.
 * Nothing is built. Components get this name, and the result is ready when every operator is installed in the version that the
 * preview named. A function and no component, since what it registers follows from what cluster and catalog have.
 */
export async function installRelease(
  name: string,
  args: ReleaseArgs,
  opts: pulumi.ComponentResourceOptions = {},
): Promise<OperatorFleet> {
  try {
    const decision = await decideRelease(args);
    for (const operator of decision.operators) void pulumi.log.info(describePlan(operator));
    return register(name, args, decision, opts);
  } catch (error) {
    // A person can act on a problem without the stack trace that Pulumi would print.
    throw error instanceof ProblemsError ? new pulumi.RunError(error.message) : error;
  }
}

function register(
  name: string,
  args: ReleaseArgs,
  { installed, definitions, catalog, operators, olm: olmArgs, installsAs }: ReleaseDecision,
  opts: pulumi.ComponentResourceOptions,
): OperatorFleet {
  const after = (...before: readonly pulumi.Resource[]): pulumi.ComponentResourceOptions =>
    pulumi.mergeOptions(opts, { dependsOn: [...before] });
  const olm = olmArgs === undefined ? undefined : new OlmV1(name, olmArgs, opts);
  const needs = operatorNeeds(operators);
  const api = new InferenceStackApi(name, { definitions, live: installed.definitions, operators: needs }, opts);
  const platform = olm === undefined ? [api] : [olm, api];
  const before = [...platform, ...guards(name, args, installed, after(...platform))];
  const { pullSecret } = args;
  const access = new FleetAccess(
    name,
    { installsAs, operators, ...(pullSecret === undefined ? {} : { pullSecret }) },
    opts,
  );
  const served = new ClusterCatalog(
    name,
    {
      name: catalog.name,
      image: catalog.image,
      source: 'image',
      ...(catalog.verified === undefined ? {} : { verified: catalog.verified }),
    },
    after(...before, access),
  );
  return new OperatorFleet(
    name,
    {
      access,
      catalogName: catalog.name,
      content: catalog.content,
      ...(olmArgs?.placement === undefined ? {} : { placement: olmArgs.placement }),
      ...(olm === undefined ? {} : { extensionApi: olm.extensionApi }),
    },
    after(...before, served),
  );
}

/** Stacks may also ask for an operator that somebody else installed. */
function guards(
  name: string,
  { guards: action = 'deny', operators }: ReleaseArgs,
  { operators: live }: ReleaseDecision['installed'],
  opts: pulumi.ComponentResourceOptions,
): readonly FleetGuards[] {
  if (action === 'off') return [];
  const foreign = live.filter(({ managed }) => !managed);
  const majors = new Set([...operators, ...foreign].map(({ major }) => major));
  return [new FleetGuards(name, { majors: [...majors], action }, opts)];
}
