import { expiry } from '../certificates/expiry.ts';

/** From here on, the expiry of a certificate is worth a warning: half a year is enough for any change calendar. */
const WARNING_DAYS = 180;
const DAY_MS = 24 * 3600_000;

/** When a certificate that Kubernetes keeps in base64 stops being valid. */
export function expiryOf(certificate: string): Date {
  return expiry(Buffer.from(certificate, 'base64').toString('utf8'));
}

export function daysLeft(expires: Date, now: Date): number {
  return Math.floor((expires.getTime() - now.getTime()) / DAY_MS);
}

/** What to say about a certificate of OLM that nobody has renewed for long; nothing where there is time. */
export function expiryWarning(certificate: string, expires: Date, now: Date): string | undefined {
  const days = daysLeft(expires, now);
  if (days >= WARNING_DAYS) return undefined;
  const when = days < 0 ? `has expired on ${expires.toISOString().slice(0, 10)}` : `expires in ${days} days`;
  return `certificate ${certificate} ${when}: run \`pulumi up\`, which renews it`;
}
