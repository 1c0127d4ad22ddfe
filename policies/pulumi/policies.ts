import type { Policies, ReportViolation, ResourceValidationArgs } from '@pulumi/policy';
import type { Facts } from '../knowledge/facts.ts';
import { ALWAYS_ADVISORY, type Stage } from '../knowledge/levels.ts';
import { runRule } from '../knowledge/rule.ts';
import type { Finding, FleetRule, ObjectRule, Rule, Settings } from '../knowledge/rule.ts';
import { byCluster, type Resource } from './clusters.ts';
import { patched } from './patch.ts';
import { subjectsOf } from './resources.ts';

/** Gathers facts for the resources of one cluster. Object rules run before all resources are known. */
export type LoadFacts = (resources: readonly Resource[]) => Promise<Facts>;

/** Helm installs it inside the provider. A Chart is rendered to Pulumi resources, which are judged one by one. */
const HELM_RELEASE = 'kubernetes:helm.sh/v3:Release';

/** The name of the policy pack. */
export const PACK = 'inference-stack-fleet';

/** A policy that is not a rule: it reports what the rules could not judge. */
export const KNOWN_IN_PREVIEW = {
  name: 'known-in-preview',
  remedy: 'Keep names, versions, channels and images plain values, and give the preview a cluster to read.',
} as const;

/** What the policies of a pack have in common. */
export interface PackContext {
  readonly stage: Stage;
  readonly load: LoadFacts;
  /** The page about the rules, with a section for each. */
  readonly docs: string;
  /** What the pack itself does not know. */
  readonly notes?: readonly string[];
}

/** The rules as policies of a Pulumi policy pack, with the levels of the stage. */
export function policiesOf(rules: readonly Rule[], context: PackContext): Policies {
  const policies = rules.map((rule) =>
    rule.scope === 'object' ? objectPolicy(rule, context) : fleetPolicy(rule, context),
  );
  return [...policies, knownInPreview(rules, context)];
}

function objectPolicy(rule: ObjectRule, context: PackContext): Policies[number] {
  return {
    ...metadata(rule, context),
    validateResource: async (args: ResourceValidationArgs, report: ReportViolation) => {
      if (subjectsOf([args]).length === 0) return;
      reportViolations(findingsIn(rule, [args], await context.load([args]), args.getConfig()), report);
    },
  };
}

function fleetPolicy(rule: FleetRule, context: PackContext): Policies[number] {
  return {
    ...metadata(rule, context),
    validateStack: async (args, report) => {
      for (const resources of byCluster(args.resources)) {
        reportViolations(findingsIn(rule, resources, await context.load(resources), args.getConfig()), report);
      }
    },
  };
}

/** Rules judge whole objects, so patches are completed first. */
function findingsIn(rule: Rule, resources: readonly Resource[], facts: Facts, settings: Settings = {}): Finding[] {
  const subjects = subjectsOf(resources).map((subject) => patched(subject, facts));
  return runRule(rule, subjects, facts, settings);
}

/** Reports in one place what no rule could judge. A silent rule would look as if it had passed. */
function knownInPreview(rules: readonly Rule[], { load, docs, notes = [] }: PackContext): Policies[number] {
  return {
    name: KNOWN_IN_PREVIEW.name,
    displayName: 'Nothing is judged blindly',
    description: 'What the other policies need to know is known before anything changes.',
    enforcementLevel: ALWAYS_ADVISORY.prod,
    severity: 'low',
    url: `${docs}#${KNOWN_IN_PREVIEW.name}`,
    remediationSteps: KNOWN_IN_PREVIEW.remedy,
    validateStack: async (args, report) => {
      for (const note of notes) report(note);
      for (const resources of byCluster(args.resources)) {
        const facts = await load(resources);
        if (facts.noCluster !== undefined) report(`No cluster was read: ${facts.noCluster}`);
        for (const [message, urn] of unknownIn(rules, resources, facts)) report(message, urn);
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
  resources: readonly Resource[],
  facts: Facts,
): Map<string, string | undefined> {
  const findings = rules.flatMap((rule) => findingsIn(rule, resources, facts)).filter(({ kind }) => kind === 'unknown');
  return new Map(findings.map(({ message, subject }) => [message, subject.urn]));
}

function metadata(
  rule: Rule,
  { stage, docs }: PackContext,
): Omit<Policies[number], 'validateResource' | 'validateStack'> {
  return {
    name: rule.name,
    displayName: rule.title,
    description: rule.description,
    enforcementLevel: rule.levels[stage],
    severity: rule.severity,
    remediationSteps: rule.remedy,
    url: `${docs}#${rule.name}`,
    ...(rule.settings === undefined ? {} : { configSchema: { properties: { ...rule.settings } } }),
  };
}

function reportViolations(findings: readonly Finding[], report: ReportViolation): void {
  for (const { kind, message, subject } of findings) if (kind === 'violation') report(message, subject.urn);
}
