/** The counts at the end of a run of Pulumi, in the words of a preview. */
export function counts(output: string): Readonly<Record<string, string>> {
  const found = output.matchAll(/^\s+[+~-]+ ?(\d+) (?:to )?(create|update|delete|replace)d?$/gm);
  return Object.fromEntries([...found].map(([, count = '', what = '']) => [what, count]));
}
