import { names } from '../lib/message.ts';
import type { Application, InferenceStackSpec } from './types.ts';

/**
 * A rule that a schema alone cannot express: in CEL for the API server, and in TypeScript for everybody else. Both see
 * a field that is null as one that is not there. A test asks both about the same objects.
 */
export interface Rule {
  /** The type, or `Type.field`, that the rule is about. */
  readonly on: string;
  readonly cel: string;
  /** What is allowed. */
  readonly message: string;
  readonly holds: (value: never) => boolean;
  /** The field below that a person should look at. */
  readonly field?: string;
  /**
   * Fields without which the rule always holds, by their paths from the value. It takes nothing away from objects that are older than
   * these fields.
   */
  readonly onlyWith?: readonly string[];
  /** Which applications break the rule. CEL could say so too, but not within its cost budget. */
  readonly offenders?: (value: never) => string[];
}

/** What is wrong with a value that breaks the rule. */
export function messageOf({ message, offenders }: Rule, value: unknown): string {
  return offenders === undefined ? message : `${message}; violated by ${names(offenders(value as never))}`;
}

export function rule(on: string, message: string, cel: string, holds: (value: never) => boolean): Rule {
  return { on, message, cel, holds };
}

/** A name whose length may be what is wrong with it. */
const LONG = 51;

/** A rule about the names of applications. */
export function nameRule(message: string, condition: string, holds: (name: string) => boolean): Rule {
  const offenders = (applications: object): string[] =>
    Object.keys(applications)
      .filter((name) => !holds(name))
      .map((name) => (name.length > LONG ? `${name} (${String(name.length)} characters)` : name));
  const on = 'InferenceStackSpec.applications';
  const holdsForAll = (applications: object): boolean => offenders(applications).length === 0;
  return { ...rule(on, message, `self.all(name, ${condition})`, holdsForAll), offenders };
}

export type Get = <T>(field: (application: Application) => T | undefined) => T | undefined;

/** A rule about each application merged over the template. */
export function applicationRule(message: string, condition: string, holds: (get: Get) => boolean): Rule {
  const offenders = ({ applications = {}, applicationTemplate = {} }: InferenceStackSpec): string[] =>
    Object.entries<Application | null>(applications)
      .filter(([, application]) => !holds((field) => field(application ?? {}) ?? field(applicationTemplate)))
      .map(([name]) => name);
  const cel = `!has(self.applications) || self.applications.all(name, ${condition})`;
  const holdsForAll = (spec: InferenceStackSpec): boolean => offenders(spec).length === 0;
  return { ...rule('InferenceStackSpec', message, cel, holdsForAll), field: 'applications', offenders };
}

/** In CEL, a value of an application, or else of the template, or else the default. */
export function inherited(path: string, fallback: number | boolean | string): string {
  const select = path.split('.').join('.?');
  const template = `self.?applicationTemplate.?${select}.orValue(${typeof fallback === 'string' ? `'${fallback}'` : String(fallback)})`;
  return `self.applications[name].?${select}.orValue(${template})`;
}

/** In CEL, whether an application has a field, or else the template. */
export function hasInherited(field: string): string {
  return `(self.applications[name].?${field}.hasValue() || self.?applicationTemplate.?${field}.hasValue())`;
}
