import { codeOf } from '../../packages/lib/error.ts';
import { describeNetwork } from '../../packages/lib/network-problem.ts';
import { ProblemsError } from '../../packages/lib/problem.ts';
import { formatReference } from './reference.ts';
import type { ImageReference } from './reference.ts';

/** What kind of thing went wrong; what to do depends on it. */
export type PullFailure =
  /** The registry wants a user, or another one. */
  | 'login'
  /** Its certificate is of an authority that nobody named. */
  | 'trust'
  /** It does not speak TLS. */
  | 'plain'
  /** Nobody answers. */
  | 'silent'
  /** It has no such image, or something else is wrong. */
  | 'name';

type Remedies = Readonly<Record<PullFailure, (host: string) => string>>;

/** For people at a command line, which has options for registries. */
const FOR_COMMANDS: Remedies = {
  login: (host) => `Run docker login ${host}, or set DOCKER_CONFIG to a directory whose config.json has its user.`,
  trust: () => 'Name the PEM file of its authority with --ca.',
  plain: () => 'Use --plain-http for a registry without TLS.',
  silent: (host) => `Check that ${host} is right, and that this machine reaches it.`,
  name: () => 'Check the name, that the image was pushed, and --plain-http or --ca for a registry of your own.',
};

/** For people who write down what the cluster needs as well: what helps this machine alone would fail later, and in there. */
const FOR_SETTINGS: Remedies = {
  login: (host) =>
    `Set pullSecret to a Docker config with a user of ${host}: the cluster pulls with it, too. \`docker login\` is for this machine alone.`,
  trust: () => 'Set registryCa to the certificates of its authority: the cluster needs them, too.',
  plain: () => 'Serve it over TLS: OLM pulls over nothing else.',
  silent: (host) => `Check that ${host} is right, and that this machine reaches it as the cluster does.`,
  name: () => 'Compare name and digest with those of the release, and see that this registry has it.',
};

/** An image that cannot be pulled, with what to do about it. */
export class RegistryError extends ProblemsError {
  readonly #reference: ImageReference;
  /** What the registry did, without what that means and what to do. */
  readonly reason: string;
  readonly failure: PullFailure;
  /** The registry's answer as HTTP says it, where there was one. */
  readonly status: number | undefined;

  constructor(
    reference: ImageReference,
    reason: string,
    failure: PullFailure = 'name',
    status?: number,
    remedies = FOR_COMMANDS,
  ) {
    const remedy = remedies[failure](reference.host);
    super([{ object: formatReference(reference), path: '', message: `cannot be pulled: ${reason}`, remedy }]);
    this.name = 'RegistryError';
    this.#reference = reference;
    this.reason = reason;
    this.failure = failure;
    this.status = status;
  }

  /** The failure of a connection. */
  static of(reference: ImageReference, error: unknown): RegistryError {
    const code = codeOf(error);
    const failure = FAILURES.get(code);
    return new RegistryError(reference, describeNetwork(error) || code, failure);
  }

  /** Whether it is about this image. */
  isOf(reference: ImageReference): boolean {
    return formatReference(this.#reference) === formatReference(reference);
  }

  /** The same for people who write settings. */
  forSettings(): RegistryError {
    return new RegistryError(this.#reference, this.reason, this.failure, this.status, FOR_SETTINGS);
  }
}

const SILENT = ['ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT'];
const UNTRUSTED = [
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
];
const WITHOUT_TLS = ['EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG'];

const FAILURES = new Map<string, PullFailure>([
  ...SILENT.map((code) => [code, 'silent'] as const),
  ...UNTRUSTED.map((code) => [code, 'trust'] as const),
  ...WITHOUT_TLS.map((code) => [code, 'plain'] as const),
]);
