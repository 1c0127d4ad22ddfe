import { formatProblem } from '../../packages/lib/problem.ts';
import type { PropertyChange, Step } from './digest.ts';
import type { PolicyFinding } from './findings.ts';
import { code, folded, plain, table } from '../../packages/lib/markdown.ts';
import type { Outcome } from './outcome.ts';

export interface CommentInput {
  readonly environment: string;
  readonly outcome: Outcome;
  /** The maximum number of characters of the comment. */
  readonly limit: number;
}

/** Operations that change nothing, or that are the two halves of a replacement, which counts once. */
const QUIET: readonly string[] = ['same', 'read', 'refresh', 'discard', 'create-replacement', 'delete-replaced'];

/** How operations are worded: `3 to create`. */
const VERBS: Readonly<Record<string, string>> = {
  create: 'to create',
  update: 'to update',
  delete: 'to delete',
  replace: 'to replace',
  same: 'unchanged',
};

/** A later run finds the comment to edit by this marker. */
export function marker(environment: string): string {
  return `<!-- inference-stack-fleet preview of ${environment.replace(/[^\w.-]/g, '')} -->`;
}

/** The preview as one comment: what is wrong first, then what changes, details folded, never longer than the limit. */
export function renderComment({ environment, outcome, limit }: CommentInput): string {
  const { digest, findings } = outcome;
  // Pulumi reports in the order of work, which differs from run to run; a comment that is edited should not.
  const changing = (digest?.steps ?? []).filter(({ op }) => !QUIET.includes(op)).sort(byKindAndName);
  const head = [
    marker(environment),
    `### Preview of ${code(environment)}: ${headline(outcome)}`,
    ...section('What policies found', describeFindings(findings)),
    ...section('What to do', describeRemedies(findings)),
    ...section('What went wrong', bullets(reasons(outcome))),
    ...section('The fleet', bullets(digest?.plans ?? [])),
    ...section('The stacks that run', bullets(digest?.impacts ?? [])),
    ...(changing.length === 0 ? [] : [changesByKind(changing)]),
  ];
  return fit(head, changing.map(stepDetails), limit);
}

/** Says what changes, or that nothing does, but only if that is known. */
function headline({ digest, findings, hasFailed, problems }: Outcome): string {
  const mandatory = findings.filter(({ isMandatory }) => isMandatory).length;
  const changes = Object.entries(digest?.summary ?? {})
    .filter(([, count]) => count > 0)
    .map(([op, count]) => `${count} ${VERBS[op] ?? op}`)
    .join(', ');
  const seen = changes === '' ? '' : ` (${changes})`;
  if (mandatory > 0) return `refused by ${mandatory} policy ${mandatory === 1 ? 'finding' : 'findings'}${seen}`;
  if (digest === undefined) return 'cannot be read';
  if (hasFailed) return `failed${seen}`;
  const found = changes === '' ? 'no changes' : changes;
  return problems.length === 0 ? found : `${found}, but what policies found is not known`;
}

function reasons({ digest, findings, hasFailed, problems }: Outcome): string[] {
  const given = [...(digest?.errors ?? []), ...problems.map(formatProblem)];
  if (!hasFailed || given.length > 0 || findings.some(({ isMandatory }) => isMandatory)) return given;
  return [
    'Pulumi does not say why. A policy may have refused it: the event log and the output of the preview say more.',
  ];
}

function bullets(lines: readonly string[]): string[] {
  return lines.map((line) => `- ${plain(line)}`);
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`**${title}**\n\n${lines.join('\n')}`];
}

function describeFindings(list: readonly PolicyFinding[]): string[] {
  return list.map(({ isMandatory, policy, severity, message }) => {
    const level = isMandatory ? '**mandatory**' : 'advisory';
    return `- ${level}${severity === '' ? '' : `, ${plain(severity)}`}, ${code(policy)}: ${plain(message)}`;
  });
}

/** Once for each policy, in the order of the findings. */
function describeRemedies(list: readonly PolicyFinding[]): string[] {
  const remedies = new Map(list.map(({ policy, remedy }) => [policy, remedy]));
  return [...remedies].flatMap(([policy, remedy]) =>
    remedy === undefined ? [] : [`- ${code(policy)}: ${plain(remedy)}`],
  );
}

function changesByKind(steps: readonly Step[]): string {
  const rows = [...Map.groupBy(steps, kindOf)].map(([kind, of]) => {
    const ops = [...Map.groupBy(of, ({ op }) => op)].map(([op, list]) => `${list.length} ${op}`);
    return [code(kind), ops.join(', '), of.map(({ name }) => code(name)).join(', ')] as const;
  });
  return table(['kind', 'changes', 'resources'], rows);
}

function byKindAndName(a: Step, b: Step): number {
  const text = (step: Step): string => [kindOf(step), step.name, step.urn].join('\n');
  return text(a).localeCompare(text(b), 'en');
}

/** `Deployment` of `kubernetes:apps/v1:Deployment`. */
function kindOf({ type }: Step): string {
  return type.split(':').at(-1) ?? type;
}

function stepDetails({ op, type, name, changes }: Step): string {
  const lines = changes.map((change) => `  - ${code(change.path)}${values(change)}`);
  return [`- ${op} ${code(type)} ${code(name)}`, ...lines].join('\n');
}

function values({ before, after }: PropertyChange): string {
  if (before === undefined && after === undefined) return '';
  return `: ${before === undefined ? '(none)' : code(before)} → ${after === undefined ? '(none)' : code(after)}`;
}

/** Adds as many details as fit, and counts the rest. */
function fit(head: readonly string[], details: readonly string[], limit: number): string {
  for (let shown = details.length; shown >= 0; shown -= 1) {
    const left = details.length - shown;
    const note = left === 0 ? [] : [`- and ${left} more, which do not fit here`];
    const body = [...details.slice(0, shown), ...note];
    const text = [...head, ...(body.length === 0 ? [] : [folded('Details', body.join('\n'))])].join('\n\n');
    if (text.length < limit) return `${text}\n`;
  }
  const cut = '\n\n(cut: the rest does not fit here)\n';
  return `${head.join('\n\n').slice(0, limit - cut.length)}${cut}`;
}
