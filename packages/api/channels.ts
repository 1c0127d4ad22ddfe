/** How mature a release is: the words of OLM's semver templates, those for production first. */
export const MATURITIES = ['stable', 'fast', 'candidate'] as const;
export type Maturity = (typeof MATURITIES)[number];

/** The channel of a major, or of one of its minors, as semver templates name it: `stable-v2`, `fast-v2.1`. */
export function channelName(maturity: Maturity | Capitalize<Maturity>, major: number, minor?: number): string {
  return `${maturity.toLowerCase()}-v${major}${minor === undefined ? '' : `.${minor}`}`;
}

/** The major that such a channel belongs to. */
export function majorOfChannel(channel: string): number | undefined {
  const match = /-v(\d+)(?:\.\d+)?$/.exec(channel);
  return match?.[1] === undefined ? undefined : Number(match[1]);
}
