import type { Problem } from '../../packages/lib/problem.ts';
import { ObjectReader } from '../../policies/knowledge/objects/object-reader.ts';
import { remedyOf } from './remedies.ts';
import { unreadable } from './unreadable.ts';

/** What a policy said during the preview. */
export interface PolicyFinding {
  readonly policy: string;
  readonly isMandatory: boolean;
  readonly severity: string;
  readonly message: string;
  /** What to do about it; not known of policies of others. */
  readonly remedy?: string;
}

/** What Pulumi's event log contains. */
export interface EventLog {
  readonly findings: readonly PolicyFinding[];
  readonly hasFailed: boolean;
  /** Why there may be more findings than these. */
  readonly problems: readonly Problem[];
}

/** Reads Pulumi's event log: one event a line. The last one sums up; without it the log is not whole. */
export function parseEvents(text: string, file: string): EventLog {
  const lines = text.split('\n').map(parseEvent);
  const events = lines.filter((line) => line instanceof ObjectReader);
  const broken = lines.findIndex((line) => line === 'broken');
  const end = events.find((event) => event.has('summaryEvent'));
  const findings = events
    .filter((event) => event.has('policyEvent'))
    .map((event) => readFinding(event.child('policyEvent')));
  const message = events.length === 0 ? 'has no events' : 'does not tell of the end of the preview';
  return {
    findings: findings.sort(byGravity),
    hasFailed: end?.text('summaryEvent', 'result') === 'failed',
    problems: [
      ...(broken === -1 ? [] : unreadable(`${file}: line ${broken + 1}`, 'is not an event').problems),
      ...(end === undefined ? unreadable(file, message).problems : []),
    ],
  };
}

function parseEvent(line: string): ObjectReader | 'empty' | 'broken' {
  if (line.trim() === '') return 'empty';
  try {
    return new ObjectReader(JSON.parse(line));
  } catch {
    return 'broken';
  }
}

function byGravity(a: PolicyFinding, b: PolicyFinding): number {
  return rank(a) - rank(b) || a.policy.localeCompare(b.policy, 'en') || a.message.localeCompare(b.message, 'en');
}

const SEVERITIES: readonly string[] = ['critical', 'high', 'medium', 'low', ''];

/** Mandatory findings first, then by severity. */
function rank({ isMandatory, severity }: PolicyFinding): number {
  return (isMandatory ? 0 : SEVERITIES.length) + SEVERITIES.indexOf(severity);
}

/** Colors, as Pulumi writes them into messages: `<{%fg 1%}>`. */
const COLORS = /<\{%[^%]*%\}>/g;

function readFinding(event: ObjectReader): PolicyFinding {
  const [description = '', ...details] = (event.text('message') ?? '').replace(COLORS, '').trim().split('\n');
  const message = details.join(' ').trim();
  const policy = event.text('policyName') ?? '';
  const remedy = remedyOf(event.text('policyPackName'), policy);
  return {
    policy,
    ...(remedy === undefined ? {} : { remedy }),
    isMandatory: event.text('enforcementLevel') === 'mandatory',
    severity: event.text('severity') ?? '',
    // Pulumi puts the policy's description first; what happened is what follows it.
    message: message === '' ? description : message,
  };
}
