import type { ClusterFacts, Facts } from './facts.ts';
import type { Levels } from './levels.ts';
import { UnknownValue } from './objects/object-reader.ts';
import type { ObjectReader } from './objects/object-reader.ts';
import { stackFindings } from './stacks/findings.ts';

/** One Kubernetes object that rules look at. */
export interface Subject {
  readonly object: ObjectReader;
  /** How messages name it: `ClusterExtension inference-stack-operator-v2`. */
  readonly title: string;
  /** Its URN, when a Pulumi program declares it. */
  readonly urn?: string;
  /** Whether Pulumi refuses to delete it; unknown for objects of a cluster. */
  readonly protect?: boolean;
  /** What the program sets, if it patches an object that exists already. */
  readonly patch?: ObjectReader;
  /** True if the patched object is not known, so there is only the patch to judge. */
  readonly isPartial?: boolean;
  /** For a stack in an audit: what the operator made for it in the cluster. */
  readonly made?: readonly ObjectReader[];
  /** Whether an operator made it for a stack, so nobody else should change it. */
  readonly isMade?: boolean;
}

/** Something that is wrong, that cannot be judged yet, or that an audit only notes. */
export interface Finding {
  readonly subject: Subject;
  readonly message: string;
  readonly kind: 'violation' | 'unknown' | 'note';
  /** The path of what to change; absent if there is more than one way, or if the message says enough. */
  readonly field?: string;
}

/** What a person can set for a rule: JSON schema of the values, each with its default. */
export type Settings = Readonly<Record<string, unknown>>;
export type SettingsSchema = Readonly<Record<string, WordsSchema | WholeSchema>>;

interface WordsSchema {
  readonly type: 'array';
  readonly items: { readonly type: 'string' };
  readonly default: string[];
  readonly description: string;
}

interface WholeSchema {
  readonly type: 'integer';
  readonly minimum: number;
  readonly default: number;
  readonly description: string;
}

interface RuleBase {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly severity: 'low' | 'medium' | 'high' | 'critical';
  readonly levels: Levels;
  /** What to do about a violation. */
  readonly remedy: string;
  readonly settings?: SettingsSchema;
  /** Judges the whole cluster, beyond the fleet. An audit calls this instead of `check`. */
  readonly checkCluster?: (cluster: ClusterFacts, settings: Settings) => ClusterVerdict;
}

/** What a rule finds in a whole cluster. */
export interface ClusterVerdict {
  readonly findings: readonly Finding[];
  /** What is as it should be, but worth knowing: a sentence each. */
  readonly expected: readonly string[];
}

/** Judges each object on its own, so Pulumi can refuse it before it changes anything. */
export interface ObjectRule extends RuleBase {
  readonly scope: 'object';
  readonly check: (subject: Subject, facts: Facts, settings: Settings) => Finding[];
}

/** Judges all objects together. */
export interface FleetRule extends RuleBase {
  readonly scope: 'fleet';
  readonly check: (subjects: readonly Subject[], facts: Facts, settings: Settings) => Finding[];
}

export type Rule = ObjectRule | FleetRule;

/** Why what a patch leaves out is not judged. All fields share the message, so it is reported once. */
export const LEFT_OUT = 'the object that it patches is not known, so what the patch leaves out is not judged';

/**
 * Runs one small judgement about a subject, or about a field of it. Reading an unknown value becomes a finding.
 */
export function judge(subject: Subject, judgement: () => readonly string[], field?: string): Finding[] {
  const where = field === undefined ? {} : { field };
  return attempt(subject, () => judgement().map((message) => ({ subject, message, kind: 'violation', ...where })));
}

/** Runs a rule over all subjects. */
export function runRule(rule: Rule, subjects: readonly Subject[], facts: Facts, given: Settings = {}): Finding[] {
  const settings = settingsOf(rule, given);
  if (rule.scope === 'fleet') return rule.check(subjects, facts, settings);
  const check = (subject: Subject): Finding[] => attempt(subject, () => rule.check(subject, facts, settings));
  return subjects.flatMap((subject) => [...check(subject), ...stackFindings(subject, check)]);
}

/** Runs a search for findings. An unknown value ends it and becomes the finding. */
export function attempt(subject: Subject, find: () => Finding[]): Finding[] {
  try {
    return find();
  } catch (error) {
    if (!(error instanceof UnknownValue)) throw error;
    return [{ subject, message: `${subject.title}: ${error.message}.`, kind: 'unknown' }];
  }
}

/** The settings of a rule with its defaults filled in. */
export function settingsOf(rule: Rule, given: Settings = {}): Settings {
  const defaults = Object.entries(rule.settings ?? {}).map(([name, schema]) => [name, schema.default] as const);
  return { ...Object.fromEntries<unknown>(defaults), ...given };
}

/** A setting that is a list of words. */
export function words(settings: Settings, name: string): readonly string[] {
  const value = settings[name];
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  return list.filter((word) => typeof word === 'string');
}

/** A setting that is a whole number. */
export function whole(settings: Settings, name: string): number {
  const value = settings[name];
  return typeof value === 'number' ? value : 0;
}
