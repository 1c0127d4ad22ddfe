import { ObjectReader } from '../../policies/core/object-reader.ts';

/** What a policy said during the preview. */
export interface PolicyFinding {
  readonly policy: string;
  readonly isMandatory: boolean;
  readonly severity: string;
  readonly message: string;
}

/** Reads Pulumi's event log: one event a line. Everything else in it is of no interest here. */
export function parseFindings(text: string): PolicyFinding[] {
  const events = text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => new ObjectReader(JSON.parse(line)));
  const findings = events
    .filter((event) => event.has('policyEvent'))
    .map((event) => readFinding(event.child('policyEvent')));
  return findings.sort(
    (a, b) => rank(a) - rank(b) || a.policy.localeCompare(b.policy, 'en') || a.message.localeCompare(b.message, 'en'),
  );
}

const SEVERITIES: readonly string[] = ['critical', 'high', 'medium', 'low', ''];

/** What refuses the preview first, then the graver. */
function rank({ isMandatory, severity }: PolicyFinding): number {
  return (isMandatory ? 0 : SEVERITIES.length) + SEVERITIES.indexOf(severity);
}

/** Colors, as Pulumi writes them into messages: `<{%fg 1%}>`. */
const COLORS = /<\{%[^%]*%\}>/g;

function readFinding(event: ObjectReader): PolicyFinding {
  const [description = '', ...details] = (event.text('message') ?? '').replace(COLORS, '').trim().split('\n');
  const message = details.join(' ').trim();
  return {
    policy: event.text('policyName') ?? '',
    isMandatory: event.text('enforcementLevel') === 'mandatory',
    severity: event.text('severity') ?? '',
    // Pulumi puts the policy's description first; what happened is what follows it.
    message: message === '' ? description : message,
  };
}
