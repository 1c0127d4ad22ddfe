import type { User } from './kubeconfig-entries.ts';

/** The headers with which a user acts as somebody else: without them requests would have other rights. */
export function impersonationHeaders(user: User): Readonly<Record<string, string | string[]>> {
  const extra = Object.entries(user['as-user-extra'] ?? {});
  return {
    ...header('Impersonate-User', user.as),
    ...header('Impersonate-Uid', user['as-uid']),
    ...header('Impersonate-Group', user['as-groups']),
    ...Object.fromEntries(extra.map(([key, values]) => [`Impersonate-Extra-${escapeKey(key)}`, values])),
  };
}

function header(name: string, value: string | string[] | null | undefined): Record<string, string | string[]> {
  return value === undefined || value === null || value.length === 0 ? {} : { [name]: value };
}

/** Keys become names of headers, which allow few characters; others are escaped as in a URL, byte by byte. */
function escapeKey(key: string): string {
  const escape = (byte: string): string => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
  return Buffer.from(key, 'utf8')
    .toString('latin1')
    .replace(/[^\w!#$&'*+.^`|~-]/g, escape);
}
