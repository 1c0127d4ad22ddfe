/** How much a version has proved, from the least to the most: the streams of OLM's semver templates. */
export const STREAMS = ['candidate', 'fast', 'stable'] as const;
export type Stream = (typeof STREAMS)[number];

/** The channel of a major, or of one of its minors, as semver templates name it: `stable-v2`, `fast-v2.1`. */
export function channelName(stream: Stream | Capitalize<Stream>, major: number, minor?: number): string {
  return `${stream.toLowerCase()}-v${major}${minor === undefined ? '' : `.${minor}`}`;
}

/** The major that such a channel belongs to. */
export function majorOfChannel(channel: string): number | undefined {
  const match = /-v(\d+)(?:\.\d+)?$/.exec(channel);
  return match?.[1] === undefined ? undefined : Number(match[1]);
}
