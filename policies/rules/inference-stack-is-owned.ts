import semver from 'semver';
import { OPERATOR_VERSION_LABEL } from '../../packages/api/constants.ts';
import { parseOperatorRequest } from '../../packages/api/operator-version.ts';
import type { OperatorRequest } from '../../packages/api/operator-version.ts';
import type { Claim } from '../knowledge/olm/claim.ts';
import { FLEET_PACKAGES } from '../knowledge/olm/extension.ts';
import type { Facts } from '../knowledge/facts.ts';
import { claimantOf, everyExtension } from '../knowledge/olm/claimant.ts';
import { ADVISORY_IN_DEV } from '../knowledge/levels.ts';
import { UnknownValue } from '../knowledge/objects/object-reader.ts';
import { attempt, judge, words } from '../knowledge/rule.ts';
import type { Finding, FleetRule, Subject } from '../knowledge/rule.ts';
import { gpuProblems, isStack } from '../knowledge/stacks/stack.ts';

export const inferenceStackIsOwned: FleetRule = {
  scope: 'fleet',
  name: 'inference-stack-is-owned',
  title: 'InferenceStacks have an operator',
  description:
    'Every InferenceStack names an operator that the fleet serves, and asks for the GPUs that its models use.',
  severity: 'high',
  levels: ADVISORY_IN_DEV,
  remedy: `Set the label ${OPERATOR_VERSION_LABEL} to a major of the fleet, and make gpu.count equal readerConfig.tensorParallel.`,
  settings: FLEET_PACKAGES,
  check: (subjects, facts, settings) => {
    const stacks = subjects.filter((subject) => isStack(subject.object));
    return stacks.flatMap((stack) => [
      ...judge(stack, () => {
        const label = stack.object.text('metadata', 'labels', OPERATOR_VERSION_LABEL);
        const problem = ownerProblem(label, () => claimsOf(subjects, facts, words(settings, 'packages')));
        return problem === undefined ? [] : [`${stack.title} ${problem}.`];
      }),
      ...gpuFindings(stack),
    ]);
  },
};

function claimsOf(subjects: readonly Subject[], facts: Facts, packages: readonly string[]): Claim[] {
  return everyExtension(subjects, facts)
    .map((subject) => claimantOf(subject, facts))
    .filter(({ packageName }) => packages.includes(packageName))
    .map(({ claim }) => claim);
}

function ownerProblem(label: string | undefined, claims: () => readonly Claim[]): string | undefined {
  if (label === undefined || label === '') {
    return `should have the label ${OPERATOR_VERSION_LABEL}: without it no operator serves the stack`;
  }
  const request = parseOperatorRequest(label);
  if (request === undefined) {
    return `should have a label ${OPERATOR_VERSION_LABEL} such as v3, 3.1 or 3.1.3, not ${JSON.stringify(label)}`;
  }
  return servedProblem(request, label, claims());
}

function servedProblem(request: OperatorRequest, label: string, claims: readonly Claim[]): string | undefined {
  const taking = claims.find((claim) => claim.takes(request.major));
  if (taking === undefined) {
    const versions = claims.flatMap((claim) => claim.version ?? []).sort(semver.compare);
    const served = versions.length === 0 ? 'no operator' : versions.join(', ');
    return `should ask for an operator that the fleet serves: ${OPERATOR_VERSION_LABEL} is ${label}, the fleet has ${served}`;
  }
  if (request.minimum === undefined) return undefined;
  if (taking.version === undefined) throw UnknownValue.at(`the version of operator v${request.major}`);
  if (semver.gte(taking.version, request.minimum)) return undefined;
  return `should ask for at most the operator's version: ${OPERATOR_VERSION_LABEL} is ${label}, the fleet has ${taking.version}`;
}

function gpuFindings(stack: Subject): Finding[] {
  return attempt(stack, () => {
    const template = stack.object.child('spec', 'applicationTemplate');
    const applications = stack.object.entries('spec', 'applications');
    return applications.flatMap(([name, application]) =>
      judge(stack, () =>
        gpuProblems(application, template).map((problem) => `${stack.title}: application ${name} ${problem}.`),
      ),
    );
  });
}
