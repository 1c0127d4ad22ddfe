import https from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { issueCa, issueLeaf, type KeyPairPem } from '../../../components/certificates/certificate.ts';

/** The credentials that came with a request. */
export interface Shown {
  readonly authorization?: string | undefined;
  /** The name in the client certificate. */
  readonly certificate?: string | undefined;
}

/** An HTTPS server that records who asks, and answers everybody. */
export class ApiOverTls {
  readonly ca: KeyPairPem;
  readonly shown: Shown[] = [];
  readonly #server: https.Server;

  private constructor(ca: KeyPairPem, leaf: KeyPairPem) {
    this.ca = ca;
    const options = { ...leaf, ca: ca.cert, requestCert: true, rejectUnauthorized: false };
    this.#server = https.createServer(options, ({ headers, socket }, response) => {
      const subject = (socket as TLSSocket).getPeerCertificate().subject as { CN?: string } | undefined;
      this.shown.push({ authorization: headers.authorization, certificate: subject?.CN });
      response.setHeader('content-type', 'application/json').end('{}');
    });
  }

  /** Its certificate is for these names and addresses. */
  static async start(names: { dnsNames?: string[]; ipAddresses?: string[] }): Promise<ApiOverTls> {
    const ca = await issueCa({ commonName: 'authority', days: 1 });
    const leaf = await issueLeaf(ca, { commonName: 'api', usages: ['server'], days: 1, ...names });
    const api = new ApiOverTls(ca, leaf);
    await new Promise<void>((resolve) => api.#server.listen(0, '127.0.0.1', resolve));
    return api;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** The entry of a kubeconfig. */
  get cluster(): Record<string, string> {
    const authority = Buffer.from(this.ca.cert).toString('base64');
    return { server: `https://127.0.0.1:${this.port}`, 'certificate-authority-data': authority };
  }

  /** A certificate that the API server knows its user by. */
  clientCertificate(commonName: string): Promise<KeyPairPem> {
    return issueLeaf(this.ca, { commonName, usages: ['client'], days: 1 });
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
