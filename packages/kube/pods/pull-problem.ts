/** The back-off after a failed pull repeats the failure after its own words. */
const BACK_OFF = /^Back-off pulling image "[^"]*": ErrImagePull: /;

const REMOTE_CALL = /^rpc error: code = \w+ desc = /;

/** How containerd begins: the name of the image, often twice. */
const CONTAINERD = /^failed to pull and unpack image "([^"]*)": failed to resolve (?:image|reference "[^"]*"): /;

/** The request repeats the image, and the addresses of a connection differ at every try. */
const NOISE = [/failed to do request: (?:Head|Get) "[^"]*": /g, /(?:read|write) (?:udp|tcp) \S+->\S+: /g];

/**
 * Why an image cannot be pulled, without the words that are the same for every image. The failure and the back-off after it
 * read alike, so that the status does not change with every try.
 */
export function pullProblem(reason: string, message = ''): string {
  const failure = message.replace(BACK_OFF, '');
  const what = failure === message ? reason : 'ErrImagePull';
  const cause = failure.replace(REMOTE_CALL, '');
  const [beginning = '', image = ''] = CONTAINERD.exec(cause) ?? [];
  const rest = NOISE.reduce((text, noise) => text.replace(noise, ''), cause.slice(beginning.length));
  return [what, rest.startsWith(image) ? '' : image, rest].filter((part) => part !== '').join(': ');
}
