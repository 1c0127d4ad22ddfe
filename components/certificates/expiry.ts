import { X509Certificate } from 'node:crypto';

/** When a PEM certificate stops being valid. Node reads certificates by itself; only issuing them takes a library. */
export function expiry(cert: string): Date {
  return new X509Certificate(cert).validToDate;
}
