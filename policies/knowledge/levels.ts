/** What a violation does: it fails the preview, it is only reported, or the rule does not run. */
export type Level = 'mandatory' | 'advisory' | 'disabled';

/** Two kinds of environments: those that serve people, and those that developers try things in. */
export type Stage = 'prod' | 'dev';
export type Levels = Readonly<Record<Stage, Level>>;

export const ALWAYS_MANDATORY: Levels = { prod: 'mandatory', dev: 'mandatory' };
export const ADVISORY_IN_DEV: Levels = { prod: 'mandatory', dev: 'advisory' };
export const PROD_ONLY: Levels = { prod: 'mandatory', dev: 'disabled' };
export const ALWAYS_ADVISORY: Levels = { prod: 'advisory', dev: 'advisory' };

/** Only environments named `dev`, or with `dev` as the first or last part of the name, are development; any other is strict. */
export function stageOf(environment: string): Stage {
  return /^dev(?:-|$)|-dev$/.test(environment) ? 'dev' : 'prod';
}
