import { codeOf, messageOf } from './error.ts';
import type { Problem } from './problem.ts';

type Reason = Required<Pick<Problem, 'message' | 'remedy'>>;

const RUNNING = 'Check that it runs, and its address.';
const NETWORK = 'Check the network, VPN and proxy (HTTPS_PROXY, NO_PROXY).';
const TRUST = 'Trust its authority, or check that nobody stands between.';
const SCHEME = 'Check the scheme (http or https) and the port.';

const NO_TLS: Reason = { message: 'it does not speak TLS', remedy: SCHEME };
const UNKNOWN_AUTHORITY: Reason = { message: 'its certificate is of an unknown authority', remedy: TRUST };

const REASONS: Readonly<Record<string, Reason>> = {
  ECONNREFUSED: { message: 'nothing listens there (connection refused)', remedy: RUNNING },
  ENOTFOUND: { message: 'its name is not known (DNS)', remedy: 'Check the name, the network and the VPN.' },
  EAI_AGAIN: { message: 'its name cannot be looked up now (DNS)', remedy: NETWORK },
  ECONNRESET: { message: 'the connection was cut', remedy: NETWORK },
  EPIPE: { message: 'the connection was cut', remedy: NETWORK },
  ETIMEDOUT: { message: 'it does not answer in time', remedy: NETWORK },
  EHOSTUNREACH: { message: 'there is no way to it in the network', remedy: NETWORK },
  ENETUNREACH: { message: 'there is no way to it in the network', remedy: NETWORK },
  EADDRNOTAVAIL: { message: 'its address is not one to connect to', remedy: 'Check the address.' },
  EPROTO: NO_TLS,
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
  HPE_INVALID_CONSTANT: { message: 'it does not speak HTTP', remedy: SCHEME },
  DEPTH_ZERO_SELF_SIGNED_CERT: { message: 'its certificate is self-signed', remedy: TRUST },
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  CERT_HAS_EXPIRED: { message: 'its certificate has expired', remedy: 'Have it renewed, or check the clock.' },
  CERT_NOT_YET_VALID: { message: 'its certificate is not valid yet', remedy: 'Check the clock of this machine.' },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    message: 'its certificate is for another name',
    remedy: 'Use the name that the certificate is for.',
  },
};

/** Why somebody on the network was not reached; undefined where an error is of another kind. */
export function networkReason(error: unknown): Reason | undefined {
  return REASONS[codeOf(error)];
}

/** The same as one text, with what Node says about errors of another kind. */
export function describeNetwork(error: unknown): string {
  return networkReason(error)?.message ?? messageOf(error);
}
