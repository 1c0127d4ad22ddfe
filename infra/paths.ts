/** Whether a location is fetched rather than read from the disk. */
export function isUrl(location: string): boolean {
  return /^https?:\/\//.test(location);
}
