import type { Level, Stage } from '../knowledge/levels.ts';
import { runRule, settingsOf } from '../knowledge/rule.ts';
import type { ClusterVerdict, Finding, Rule, Settings } from '../knowledge/rule.ts';
import type { AuditInput } from './collect.ts';

/** A finding with what its rule says about it. */
export interface AuditFinding {
  readonly rule: string;
  readonly level: Exclude<Level, 'disabled'>;
  readonly severity: Rule['severity'];
  readonly object: string;
  readonly message: string;
  readonly remedy: string;
}

/** Something that needs no action. */
export interface Expected {
  readonly rule: string;
  readonly message: string;
}

export interface AuditReport {
  /** The gravest first. */
  readonly findings: readonly AuditFinding[];
  /** What is as it should be, but worth knowing. */
  readonly expected: readonly Expected[];
  readonly mandatory: number;
  readonly advisory: number;
  /** How many objects were looked at. */
  readonly objects: number;
  /** The stage whose levels applied. */
  readonly stage: Stage;
}

/** What a person changes about a rule: its level, its settings or both, as in Pulumi's policy configuration. */
export type Overrides = Readonly<Record<string, Level | (Settings & { readonly enforcementLevel?: Level })>>;

const SEVERITIES: readonly Rule['severity'][] = ['critical', 'high', 'medium', 'low'];

/** Runs the rules over a cluster. */
export function audit(rules: readonly Rule[], input: AuditInput, stage: Stage, overrides: Overrides = {}): AuditReport {
  const expected: Expected[] = [];
  const findings = rules.flatMap((rule) => {
    const { enforcementLevel = rule.levels[stage], ...settings } = overrideOf(overrides[rule.name]);
    if (enforcementLevel === 'disabled') return [];
    const verdict = verdictOf(rule, input, settings);
    expected.push(...verdict.expected.map((message) => ({ rule: rule.name, message })));
    return verdict.findings.map((finding) => describe(rule, finding, enforcementLevel));
  });
  const order = (finding: AuditFinding): number =>
    (finding.level === 'mandatory' ? 0 : 10) + SEVERITIES.indexOf(finding.severity);
  return {
    findings: findings.sort((a, b) => order(a) - order(b) || (a.object < b.object ? -1 : 1)),
    expected,
    mandatory: findings.filter(({ level }) => level === 'mandatory').length,
    advisory: findings.filter(({ level }) => level === 'advisory').length,
    objects: input.subjects.reduce((sum, { made = [] }) => sum + 1 + made.length, 0),
    stage,
  };
}

/** A rule that judges whole clusters judges this one, of which the fleet is a part. */
function verdictOf(rule: Rule, { subjects, facts }: AuditInput, settings: Settings): ClusterVerdict {
  if (rule.checkCluster === undefined || facts.cluster === undefined) {
    return { findings: runRule(rule, subjects, facts, settings), expected: [] };
  }
  return rule.checkCluster(facts.cluster, settingsOf(rule, settings));
}

function overrideOf(override: Overrides[string] | undefined): Settings & { readonly enforcementLevel?: Level } {
  return typeof override === 'string' ? { enforcementLevel: override } : (override ?? {});
}

/** What could not be judged, and what is only a note, is reported without failing the audit. */
function describe(rule: Rule, finding: Finding, level: AuditFinding['level']): AuditFinding {
  return {
    rule: rule.name,
    level: finding.kind === 'violation' ? level : 'advisory',
    severity: rule.severity,
    object: finding.subject.title,
    message: finding.message,
    remedy: rule.remedy,
  };
}
