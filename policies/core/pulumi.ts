import type { Policies, ReportViolation, ResourceValidationArgs } from '@pulumi/policy';
import { byCluster, type Resource } from './clusters.ts';
import type { Facts } from './facts.ts';
import { ALWAYS_ADVISORY } from './levels.ts';
import type { Stage } from './levels.ts';
import { runRule } from './rule.ts';
import type { Finding, FleetRule, ObjectRule, Rule, Subject } from './rule.ts';
import { subjectsOf } from './subject.ts';

/** Gathers facts for the resources of one cluster; object rules run before all of these are known. */
export type LoadFacts = (resources: readonly Resource[]) => Promise<Facts>;

/** Installed by Helm inside of the provider; a Chart is rendered to resources of Pulumi, which are judged one by one. */
const HELM_RELEASE = 'kubernetes:helm.sh/v3:Release';

/** The name of the policy pack. */
export const PACK = 'inference-stack-fleet';

/** The policy that is not a rule: it says what the rules could not judge. */
export const KNOWN_IN_PREVIEW = {
  name: 'known-in-preview',
  remedy: 'Keep names, versions, channels and images plain values, and give the preview a cluster to read.',
} as const;

/** In this repository, since the pack is used from its checkout. */
const DOCS = 'docs/reference/policies.md';

/**
 * The rules as policies of a Pulumi policy pack, with the levels of the stage. Notes are what the pack itself does not
 * know.
 */
export function policiesOf(
  rules: readonly Rule[],
  stage: Stage,
  load: LoadFacts,
  notes: readonly string[] = [],
): Policies {
  const policies = rules.map((rule) =>
    rule.scope === 'object' ? objectPolicy(rule, stage, load) : fleetPolicy(rule, stage, load),
  );
  return [...policies, knownInPreview(rules, load, notes)];
}

function objectPolicy(rule: ObjectRule, stage: Stage, load: LoadFacts): Policies[number] {
  return {
    ...metadata(rule, stage),
    validateResource: async (args: ResourceValidationArgs, report: ReportViolation) => {
      const subjects = subjectsOf([args]);
      if (subjects.length === 0) return;
      reportViolations(runRule(rule, subjects, await load([args]), args.getConfig()), report);
    },
  };
}

function fleetPolicy(rule: FleetRule, stage: Stage, load: LoadFacts): Policies[number] {
  return {
    ...metadata(rule, stage),
    validateStack: async (args, report) => {
      for (const resources of byCluster(args.resources)) {
        reportViolations(runRule(rule, subjectsOf(resources), await load(resources), args.getConfig()), report);
      }
    },
  };
}

/** What no rule could judge, in one place: a rule that stays silent about it would look as if it had passed. */
function knownInPreview(rules: readonly Rule[], load: LoadFacts, notes: readonly string[]): Policies[number] {
  return {
    name: KNOWN_IN_PREVIEW.name,
    displayName: 'Nothing is judged blindly',
    description: 'What the other policies need to know is known before anything changes.',
    enforcementLevel: ALWAYS_ADVISORY.prod,
    severity: 'low',
    url: `${DOCS}#${KNOWN_IN_PREVIEW.name}`,
    remediationSteps: KNOWN_IN_PREVIEW.remedy,
    validateStack: async (args, report) => {
      for (const note of notes) report(note);
      for (const resources of byCluster(args.resources)) {
        const facts = await load(resources);
        if (facts.noCluster !== undefined) report(`No cluster was read: ${facts.noCluster}`);
        for (const [message, urn] of unknownIn(rules, subjectsOf(resources), facts)) report(message, urn);
      }
      for (const { name, urn } of args.resources.filter(({ type }) => type === HELM_RELEASE)) {
        report(`Helm release ${name}: what its chart installs is not shown to policies. Use a Chart instead.`, urn);
      }
    },
  };
}

/** What the rules do not know of one cluster, each once. */
function unknownIn(
  rules: readonly Rule[],
  subjects: readonly Subject[],
  facts: Facts,
): Map<string, string | undefined> {
  const findings = rules.flatMap((rule) => runRule(rule, subjects, facts)).filter(({ kind }) => kind === 'unknown');
  return new Map(findings.map(({ message, subject }) => [message, subject.urn]));
}

function metadata(rule: Rule, stage: Stage): Omit<Policies[number], 'validateResource' | 'validateStack'> {
  return {
    name: rule.name,
    displayName: rule.title,
    description: rule.description,
    enforcementLevel: rule.levels[stage],
    severity: rule.severity,
    remediationSteps: rule.remedy,
    url: `${DOCS}#${rule.name}`,
    ...(rule.settings === undefined ? {} : { configSchema: { properties: { ...rule.settings } } }),
  };
}

function reportViolations(findings: readonly Finding[], report: ReportViolation): void {
  for (const { kind, message, subject } of findings) if (kind === 'violation') report(message, subject.urn);
}
