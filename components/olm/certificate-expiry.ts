import type { KubernetesObject } from '../../packages/kube/object.ts';
import { expiry } from '../certificates/expiry.ts';
import { INJECTION } from './certificate-requests.ts';

/** From here on, the expiry of a certificate is worth a warning: half a year is enough for any change calendar. */
const WARNING_DAYS = 180;
const DAY_MS = 24 * 3600_000;

/** When a certificate that Kubernetes keeps in base64 stops being valid. */
export function expiryOf(certificate: string): Date {
  return expiry(Buffer.from(certificate, 'base64').toString('utf8'));
}

/**
 * When the certificates that this program issued for OLM stop being valid, read from OLM's webhooks. They and their
 * authority are issued together, and the authority is no secret, so nothing has to read private keys to know it.
 */
export function certificatesExpiry(webhooks: readonly KubernetesObject[]): Date | undefined {
  const issued = webhooks.filter(({ metadata }) => metadata.annotations?.[INJECTION] === undefined);
  const clients = issued.flatMap((object) => (object as WebhookFields).webhooks ?? []);
  const bundle = clients.map(({ clientConfig }) => clientConfig?.caBundle).find((each) => each !== undefined);
  return bundle === undefined ? undefined : expiryOf(bundle);
}

interface WebhookFields {
  readonly webhooks?: readonly { readonly clientConfig?: { readonly caBundle?: string } }[];
}

export function daysLeft(expires: Date, now: Date): number {
  return Math.floor((expires.getTime() - now.getTime()) / DAY_MS);
}

/** A warning about certificates of OLM that expire soon; undefined while there is time. */
export function expiryWarning(expires: Date, now: Date): string | undefined {
  const days = daysLeft(expires, now);
  if (days >= WARNING_DAYS) return undefined;
  const when = days < 0 ? `expired on ${expires.toISOString().slice(0, 10)}` : `expire in ${days} days`;
  return `OLM’s certificates ${when}: run \`pulumi up\`, which renews them`;
}
