import { expiryWarning } from '../../components/olm/certificate-expiry.ts';
import type { LiveState } from '../cluster/live-state.ts';
import type { Settings } from '../config/schema.ts';

/** Warns when the cluster's OLM runs on certificates of this program that expire soon. */
export function warnOfExpiry(
  { olm }: Pick<Settings, 'olm'>,
  { certificatesExpire }: Pick<LiveState, 'certificatesExpire'>,
  now: Date,
  warn: (message: string) => void,
): void {
  if (olm.mode === 'existing' || olm.certificates !== 'generated' || certificatesExpire === undefined) return;
  const warning = expiryWarning(certificatesExpire, now);
  if (warning !== undefined) warn(warning);
}
